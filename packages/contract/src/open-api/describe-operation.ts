import { z } from "zod";
import type { Endpoint, Reply, Security } from "../endpoint/endpoint.ts";
import { listExamples } from "../endpoint/example.ts";
import { listErrors } from "../endpoint/list-errors.ts";
import { type ErrorCode, Problem, problems } from "../endpoint/problem.ts";
import { describeBody, describeField, type OpenApiObject, refer } from "./json-schema.ts";

/** An endpoint as an OpenAPI operation. */
export function describeOperation(endpoint: Endpoint): OpenApiObject {
  const body = describeRequestBody(endpoint);
  return {
    operationId: endpoint.id,
    summary: endpoint.summary,
    ...(endpoint.description === undefined ? {} : { description: endpoint.description }),
    tags: [endpoint.tag],
    security: endpoint.security.map((caller) =>
      caller === "apiKey" && endpoint.scope !== undefined
        ? { apiKey: [endpoint.scope] }
        : securityRequirements[caller],
    ),
    parameters: [
      ...describeParameters("path", endpoint.params),
      ...describeParameters("query", endpoint.query),
      ...describeParameters("header", endpoint.headers),
    ],
    ...(body === undefined ? {} : { requestBody: { required: true, content: body } }),
    responses: {
      ...Object.fromEntries(
        Object.entries(endpoint.replies).map(([status, reply]) => [status, describeReply(reply, endpoint)]),
      ),
      ...describeErrors(endpoint),
    },
  };
}

const securityRequirements: Record<Security, OpenApiObject> = {
  guest: {},
  session: { session: [] },
  admin: { session: ["admin"] },
  apiKey: { apiKey: [] },
  bot: { apiKey: ["bot"] },
};

function describeParameters(location: "path" | "query" | "header", fields: z.ZodObject | undefined) {
  return Object.entries(fields?.shape ?? {}).map(([name, field]) => {
    const { description, ...schema } = describeField(field);
    return {
      name,
      in: location,
      required: isRequired(field),
      ...(description === undefined ? {} : { description }),
      schema,
    };
  });
}

function describeRequestBody({ form, json, raw }: Endpoint): OpenApiObject | undefined {
  if (form !== undefined) return { "multipart/form-data": { schema: describeForm(form) } };
  if (json !== undefined) {
    return { "application/json": { schema: describeBody(json), ...describeExample(json) } };
  }
  return raw && { [raw.contentType]: { schema: { description: raw.description } } };
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
  return { type: "object", properties, ...(required.length === 0 ? {} : { required }) };
}

function describeReply(reply: Reply, endpoint: Endpoint): OpenApiObject {
  const { description } = reply;
  const headers = describeHeaders(endpoint);
  if ("body" in reply) {
    const content = { schema: refer(reply.body), ...describeExample(reply.body) };
    return { description, headers, content: { "application/json": content } };
  }
  if ("contentType" in reply) {
    const { contentType } = reply;
    const schema = { type: "string", contentMediaType: contentType };
    return { description, headers, content: { [contentType]: { schema } } };
  }
  return { description, headers };
}

function describeExample(schema: z.ZodType): OpenApiObject {
  const [example] = listExamples(schema);
  return example === undefined ? {} : { example };
}

function describeErrors(endpoint: Endpoint): OpenApiObject {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of listErrors(endpoint)) {
    const { status } = problems[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${problems[code].title}`).join(" "),
        headers: {
          ...describeHeaders(endpoint),
          ...(status === 401 ? { "www-authenticate": authenticateHeader } : {}),
          ...(status === 429 || status === 503 ? { "retry-after": retryAfterHeader } : {}),
        },
        content: {
          "application/problem+json": {
            schema: refer(Problem),
            examples: Object.fromEntries(
              codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
            ),
          },
        },
      },
    ]),
  );
}

function describeHeaders(endpoint: Endpoint): OpenApiObject {
  return {
    "x-request-id": { description: "The id of the request in the log.", schema: { type: "string" } },
    ...(endpoint.isMetered ? rateLimitHeaders : {}),
  };
}

const rateLimitHeaders = {
  "ratelimit-policy": {
    description: "The caller's allowance (draft-ietf-httpapi-ratelimit-headers-10).",
    schema: { type: "string" },
    example: '"credits";q=10;w=86400',
  },
  ratelimit: {
    description: "The remaining quota, and the seconds until it is renewed.",
    schema: { type: "string" },
    example: '"credits";r=16;t=21423',
  },
};
const retryAfterHeader = { description: "Seconds to wait.", schema: { type: "integer", minimum: 0 } };
const authenticateHeader = { description: "The required authentication scheme.", schema: { type: "string" } };

function isRequired(field: z.core.$ZodType): boolean {
  return !z.safeParse(field, undefined).success;
}
