import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import { describeApi } from "@koma/contract";
import type { FastifyInstance } from "fastify";

/** `/openapi.json` and a page to read and try it at `/docs`. */
export async function registerDocs(
  app: FastifyInstance,
  options: { baseUrl: string; version: string },
): Promise<void> {
  const document = describeApi(options);
  app.get("/openapi.json", () => document);
  await app.register(swagger, {
    mode: "static",
    specification: { document: document as never },
  });
  await app.register(swaggerUi, {
    routePrefix: "/docs",
    indexPrefix: pathPrefix(options.baseUrl),
    staticCSP:
      "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'; base-uri 'self'",
    uiConfig: { docExpansion: "list", displayRequestDuration: true },
  });
}

/** What the page's own links begin with, so that a browser finds them behind a proxy. */
function pathPrefix(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).pathname.replace(/\/$/, "") : "";
}
