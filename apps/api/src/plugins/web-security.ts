import cors from "@fastify/cors";
import helmet from "@fastify/helmet";
import type { FastifyInstance } from "fastify";

/**
 * Security headers and CORS. Any site can send requests as a guest or with a key; trusted sites can include
 * cookies. The request limit and the error handler must be registered before it.
 */
export async function registerWebSecurity(
  app: FastifyInstance,
  options: { isHttps: boolean; isTrustedOrigin: (origin: string) => boolean },
): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    // Other sites may embed stills and clips.
    crossOriginResourcePolicy: { policy: "cross-origin" },
    // Other services on subdomains may have no HTTPS.
    strictTransportSecurity: options.isHttps && { includeSubDomains: false },
  });
  // CORS answers OPTIONS requests before the hooks of routes, which count all others.
  const countRequest = app.rateLimit();
  app.addHook("onRequest", async (request, reply) => {
    if (request.method === "OPTIONS") await countRequest.call(app, request, reply);
  });
  await app.register(cors, {
    delegator: (request, done) => {
      const isTrusted =
        request.headers.origin !== undefined && options.isTrustedOrigin(request.headers.origin);
      done(null, {
        origin: isTrusted ? true : "*",
        credentials: isTrusted,
        // An OPTIONS request without preflight headers gets a response too.
        strictPreflight: false,
        methods: ["GET", "HEAD", "POST", "DELETE"],
        // Without a list the headers that a preflight request names are allowed, as trace.moe does.
        ...(!isTraceMoe(request) && { allowedHeaders }),
        exposedHeaders: ["x-request-id", "retry-after", "ratelimit", "ratelimit-policy", "content-range"],
        maxAge: 600,
      });
    },
  });
}

const allowedHeaders = [
  "authorization",
  "content-type",
  "idempotency-key",
  "mcp-protocol-version",
  "range",
  "x-koma-chat-user",
  "x-koma-chat-server",
];

function isTraceMoe({ url }: { url: string }): boolean {
  return url.startsWith("/trace.moe/");
}
