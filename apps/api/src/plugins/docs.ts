import { createHash } from "node:crypto";
import { describeApi, type OpenApiObject } from "@koma/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import { authPaths } from "../docs/auth-paths.ts";
import { writeGuide } from "../docs/guide.ts";
import { renderReader } from "../docs/render-reader.ts";
import { traceKey, traceMoePaths } from "../docs/trace-moe-paths.ts";
import { createStaticDocument, sendTagged, type TaggedDocument } from "./static-document.ts";

/**
 * Serves `/openapi.json`, and a reference page at `/docs`. The examples of the guide use `getBaseUrl`, which
 * is known once the server listens.
 */
export function registerDocs(
  app: FastifyInstance,
  options: { baseUrl: string; getBaseUrl: () => string; version: string },
): void {
  const prefix = pathPrefix(options.baseUrl);
  const documents = createDocuments(() => describeDocs(options), options.getBaseUrl);
  const sendJson = (request: FastifyRequest, reply: FastifyReply, document: TaggedDocument) =>
    sendTagged(
      request,
      reply.type("application/json; charset=utf-8").header("cache-control", "no-cache"),
      document,
    );
  app.get("/openapi.json", (request, reply) => sendJson(request, reply, documents.get("api", undefined)));
  app.get("/docs/openapi.json", (request, reply) => {
    const origin = options.baseUrl === "/" ? readOrigin(request) : options.baseUrl;
    return sendJson(request, reply, documents.get("reader", origin));
  });
  let reader: Promise<Reader> | undefined;
  const readReader = () => {
    reader ??= createReader(prefix).catch((error: unknown) => {
      reader = undefined;
      throw error;
    });
    return reader;
  };
  app.get("/docs", async (request, reply) => {
    // The page has one address, also behind a path prefix.
    if (/^\/docs(?:\?|$)/.test(request.url)) return reply.redirect(`${prefix}/docs/`, 301);
    const { page, policy } = await readReader();
    reply.header("cross-origin-resource-policy", "same-origin").header("content-security-policy", policy);
    // The reader's document states the origin of its page.
    return reply.header("referrer-policy", "same-origin").type("text/html; charset=utf-8").send(page);
  });
  app.get("/docs/js/scalar.js", async (request, reply) => {
    const { script } = await readReader();
    reply.header("cross-origin-resource-policy", "same-origin").header("cache-control", "no-cache");
    return sendTagged(request, reply.type("application/javascript; charset=utf-8"), script);
  });
}

type Reader = { page: string; policy: string; script: TaggedDocument };

async function createReader(prefix: string): Promise<Reader> {
  const { page, script } = await renderReader(prefix);
  return {
    // The reader sets no language, which screen readers need.
    page: page.replace("<html>", '<html lang="en">'),
    policy: describePolicy(page),
    script: createStaticDocument(script),
  };
}

/**
 * The documents, described at the first request, because that takes as long as the rest of the start. Each is
 * serialised once per address: they have 370 kB, and a client can request them at will. A client chooses the
 * origin of its page, so only the last ones stay in memory.
 */
function createDocuments(openApi: () => OpenApiObject, getBaseUrl: () => string) {
  let described: { api: OpenApiObject; reader: OpenApiObject } | undefined;
  const written = new LRUCache<string, TaggedDocument>({ max: 8 });

  function describe(kind: "api" | "reader", origin: string | undefined, baseUrl: string): OpenApiObject {
    if (described === undefined) {
      const api = openApi();
      described = { api, reader: withoutOptionalExamples(api) };
    }
    if (kind === "api") return withGuide(described.api, baseUrl);
    // Without `servers` the reader calls its own origin. It would append paths to "/" with a second slash.
    const servers = origin === undefined ? [] : [{ url: origin.replace(/\/$/, "") }];
    return withGuide({ ...withSample(described.reader, origin ?? baseUrl), servers }, baseUrl);
  }

  return {
    get(kind: "api" | "reader", origin: string | undefined): TaggedDocument {
      const baseUrl = getBaseUrl();
      const key = JSON.stringify([kind, origin, baseUrl]);
      const document =
        written.get(key) ?? createStaticDocument(JSON.stringify(describe(kind, origin, baseUrl)));
      written.set(key, document);
      return document;
    },
  };
}

function withGuide(document: OpenApiObject, baseUrl: string): OpenApiObject {
  const info = document.info as { description: string };
  return { ...document, info: { ...info, description: `${info.description}\n\n${writeGuide(baseUrl)}` } };
}

/** The contract's API with the operations of better-auth and those of trace.moe. */
function describeDocs(options: { baseUrl: string; version: string }): OpenApiObject {
  const api = describeApi(options);
  const components = api.components as { securitySchemes: object };
  return {
    ...api,
    tags: [...(api.tags as object[]), { name: "Accounts", description: "Sign-up, sign-in and sessions." }],
    paths: { ...(api.paths as object), ...authPaths, ...traceMoePaths },
    components: { ...components, securitySchemes: { ...components.securitySchemes, traceKey } },
  };
}

/**
 * The reader prefills the examples of optional fields, and `image` together with `url` is an invalid request.
 */
function withoutOptionalExamples(document: OpenApiObject): OpenApiObject {
  const copy = structuredClone(document) as { paths: Record<string, Record<string, Operation>> };
  for (const operation of Object.values(copy.paths).flatMap((path) => Object.values(path))) {
    for (const { required, schema } of operation.parameters ?? []) if (!required) delete schema.examples;
    const form = operation.requestBody?.content["multipart/form-data"]?.schema;
    for (const [name, field] of Object.entries(form?.properties ?? {}))
      if (!form?.required?.includes(name)) delete field.examples;
  }
  return copy;
}

/** The origin of the page that requests the document; undefined if that is not this server. */
function readOrigin({ headers, host }: FastifyRequest): string | undefined {
  const { referer = "" } = headers;
  if (!URL.canParse(referer)) return undefined;
  const page = new URL(referer);
  return page.host === host ? page.origin : undefined;
}

/** The reader would show a search with every field empty, which is an invalid request. */
function withSample(document: OpenApiObject, baseUrl: string): OpenApiObject {
  const source = `curl ${baseUrl.replace(/\/$/, "")}/api/anime/search \\\n  -F image=@screenshot.jpg`;
  const paths = document.paths as Record<string, { post?: object }>;
  const search = paths["/api/anime/search"];
  const post = { ...search?.post, "x-codeSamples": [{ lang: "Shell", label: "curl", source }] };
  return { ...document, paths: { ...paths, "/api/anime/search": { ...search, post } } };
}

type Field = { examples?: unknown };
type Form = { schema: { properties?: Record<string, Field>; required?: string[] } };
type Operation = {
  parameters?: { required: boolean; schema: Field }[];
  requestBody?: { content: Record<string, Form> };
};

/**
 * Allows the page's inline scripts by their hashes, and inline styles, which the reader creates at run time.
 */
function describePolicy(html: string): string {
  const scripts = [...html.matchAll(/<script[^>]*>([^<]+)<\/script>/g)].map(([, script = ""]) => script);
  const hashes = scripts.map((script) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`);
  return [
    "default-src 'self'",
    `script-src 'self' ${hashes.join(" ")}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** The path prefix of the base address, without a trailing slash. */
function pathPrefix(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).pathname.replace(/\/$/, "") : "";
}
