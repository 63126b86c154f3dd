import { z } from "zod";
import { Anime, Episode } from "./anime.ts";
import type { Endpoint, Reply } from "./endpoint.ts";
import { endpoints } from "./endpoints.ts";
import { AnimeList } from "./find-anime.ts";
import { Health, Readiness } from "./health.ts";
import { Match, Region } from "./match.ts";
import { type ErrorCode, Problem, problems } from "./problem.ts";
import { Quota } from "./quota.ts";
import { SearchResult } from "./search-anime.ts";

/** A JSON object of an OpenAPI document. */
export type OpenApiObject = { [key: string]: unknown };

/** The API as an OpenAPI 3.1 document for the given base address. */
export function describeApi(options: { baseUrl: string; version: string }): OpenApiObject {
  const paths: { [path: string]: OpenApiObject } = {};
  for (const endpoint of endpoints) {
    paths[endpoint.path] = {
      ...paths[endpoint.path],
      [endpoint.method.toLowerCase()]: describeOperation(endpoint),
    };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Koma",
      version: options.version,
      summary: "Which anime is this, which episode, which second?",
      description:
        "Times inside a video are in seconds, instants in ISO 8601 UTC, ids opaque. Every answer carries `x-request-id`; " +
        "every error is `application/problem+json` (RFC 9457) with a `code`. Fields may be added, none is renamed.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: options.baseUrl }],
    tags: [...new Set(endpoints.map((endpoint) => endpoint.tag))].map((name) => ({ name })),
    security: [],
    paths,
    components: { schemas: describeComponents() },
  };
}

const components = {
  Anime,
  AnimeList,
  Episode,
  Health,
  Match,
  Problem,
  Quota,
  Readiness,
  Region,
  SearchResult,
};
const registry = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries(components)) registry.add(schema, { id });

function describeOperation(endpoint: Endpoint): OpenApiObject {
  return {
    operationId: endpoint.id,
    summary: endpoint.summary,
    ...(endpoint.description === undefined ? {} : { description: endpoint.description }),
    tags: [endpoint.tag],
    parameters: [
      ...describeParameters("path", endpoint.params),
      ...describeParameters("query", endpoint.query),
      ...describeParameters("header", endpoint.headers),
    ],
    ...(endpoint.form === undefined ? {} : { requestBody: describeForm(endpoint.form) }),
    responses: {
      ...Object.fromEntries(
        Object.entries(endpoint.replies).map(([status, reply]) => [
          status,
          describeReply(reply, describeHeaders(endpoint)),
        ]),
      ),
      ...describeErrors(endpoint),
    },
  };
}

function describeParameters(place: "path" | "query" | "header", fields: z.ZodObject | undefined) {
  return Object.entries(fields?.shape ?? {}).map(([name, field]) => {
    const { description, ...schema } = describeField(field);
    return {
      name,
      in: place,
      required: isRequired(field),
      ...(description === undefined ? {} : { description }),
      schema,
    };
  });
}

function describeForm(form: NonNullable<Endpoint["form"]>): OpenApiObject {
  const fields = Object.entries<z.core.$ZodType>(form.fields.shape);
  const properties = {
    ...Object.fromEntries(
      Object.entries(form.files).map(([name, description]) => [
        name,
        { type: "string", contentMediaType: "application/octet-stream", description },
      ]),
    ),
    ...Object.fromEntries(fields.map(([name, field]) => [name, describeField(field)])),
  };
  const required = fields.filter(([, field]) => isRequired(field)).map(([name]) => name);
  return {
    required: true,
    content: {
      "multipart/form-data": {
        schema: { type: "object", properties, ...(required.length === 0 ? {} : { required }) },
      },
    },
  };
}

function describeReply(reply: Reply, headers: OpenApiObject): OpenApiObject {
  const content =
    "body" in reply
      ? { "application/json": { schema: { $ref: refer(registry.get(reply.body)?.id ?? "") } } }
      : { [reply.contentType]: { schema: { type: "string", contentMediaType: reply.contentType } } };
  return { description: reply.description, headers, content };
}

function describeErrors(endpoint: Endpoint): OpenApiObject {
  const hasInput = [endpoint.params, endpoint.query, endpoint.headers, endpoint.form].some(Boolean);
  const codes: ErrorCode[] = [
    ...(hasInput ? (["invalid_request"] as const) : []),
    ...endpoint.errors,
    "too_many_requests",
    "internal_error",
  ];
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const status = problems[code].status;
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, same]) => [
      status,
      {
        description: same.map((code) => `\`${code}\`: ${problems[code].title}`).join(" "),
        headers: {
          ...describeHeaders(endpoint),
          ...(status === 429 || status === 503 ? { "retry-after": retryAfterHeader } : {}),
        },
        content: { "application/problem+json": { schema: { $ref: refer("Problem") } } },
      },
    ]),
  );
}

function describeHeaders(endpoint: Endpoint): OpenApiObject {
  return {
    "x-request-id": { description: "The request's number in the log.", schema: { type: "string" } },
    ...(endpoint.isMetered ? rateLimitHeaders : {}),
  };
}

const rateLimitHeaders = {
  "ratelimit-policy": {
    description: "The caller's allowance (draft-ietf-httpapi-ratelimit-headers-10).",
    schema: { type: "string" },
  },
  ratelimit: { description: "What is left of it, and for how long.", schema: { type: "string" } },
};
const retryAfterHeader = { description: "Seconds to wait.", schema: { type: "integer", minimum: 0 } };

function describeComponents(): OpenApiObject {
  const { schemas } = z.toJSONSchema(registry, { io: "output", uri: refer, override: allowMoreFields });
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, withoutAddress(schema)]));
}

function describeField(field: z.core.$ZodType): OpenApiObject {
  return withoutAddress(z.toJSONSchema(field, { io: "output" }));
}

function withoutAddress(schema: z.core.JSONSchema.BaseSchema): OpenApiObject {
  const { $schema: _schema, $id: _id, "~standard": _standard, ...rest } = schema;
  return rest;
}

/** Answers may gain fields, so no schema forbids unknown ones. */
function allowMoreFields(context: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  delete context.jsonSchema.additionalProperties;
}

function isRequired(field: z.core.$ZodType): boolean {
  return !z.safeParse(field, undefined).success;
}

function refer(id: string): string {
  return `#/components/schemas/${id}`;
}
