import cors from "@fastify/cors";
import helmet from "@fastify/helmet";
import type { FastifyInstance } from "fastify";

/** Security headers and CORS: any site may ask as a guest or with a key, trusted ones with their visitors' cookies too. */
export async function registerWebSecurity(
  app: FastifyInstance,
  options: { isHttps: boolean; isTrustedOrigin: (origin: string) => boolean },
): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    // Stills and clips are meant to be shown by other sites.
    crossOriginResourcePolicy: { policy: "cross-origin" },
    // Other services on subdomains may have no HTTPS.
    strictTransportSecurity: options.isHttps && { includeSubDomains: false },
  });
  await app.register(cors, {
    delegator: (request, done) => {
      const isTrusted =
        request.headers.origin !== undefined && options.isTrustedOrigin(request.headers.origin);
      done(null, {
        origin: isTrusted ? true : "*",
        credentials: isTrusted,
        // Whoever only asks what is possible is told so too.
        strictPreflight: false,
        methods: ["GET", "HEAD", "POST", "DELETE"],
        allowedHeaders: [
          "authorization",
          "content-type",
          "idempotency-key",
          "range",
          "x-koma-chat-user",
          "x-koma-chat-server",
          "x-trace-key",
        ],
        exposedHeaders: ["x-request-id", "retry-after", "ratelimit", "ratelimit-policy", "content-range"],
        maxAge: 600,
      });
    },
  });
}
