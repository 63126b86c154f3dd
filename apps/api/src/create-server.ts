import { randomUUID } from "node:crypto";
import type { Configuration } from "@koma/config";
import { imageLimits, readMemoryLimit } from "@koma/library";
import fastify, { type FastifyInstance, type FastifyServerOptions, LogController } from "fastify";
import { ApiError } from "./api-error.ts";
import { addTraceMoePrefix, removeAuthority, stripPrefix } from "./base-url.ts";
import { describeUnknownPath, hideAddressSecrets } from "./log-secrets.ts";
import { registerConnectionLimit } from "./plugins/connection-limit.ts";
import { registerEarlyResponses } from "./plugins/early-responses.ts";
import { registerGracefulClose } from "./plugins/graceful-close.ts";
import { sendProblem, toApiError } from "./plugins/problem.ts";
import { registerRequestOrder } from "./plugins/request-order.ts";
import {
  chooseResponseBytes,
  type ResponseLimits,
  registerResponseBudget,
} from "./plugins/response-budget.ts";
import { rejectUnreadableRequest } from "./plugins/unreadable-request.ts";

/** Creates an HTTP server without routes: it numbers requests, logs their outcome and closes gracefully. */
export function createServer(options: {
  config: Configuration;
  logger?: NonNullable<FastifyServerOptions["logger"]> | undefined;
  /** By default those of the memory limit of the process. */
  responseLimits?: ResponseLimits | undefined;
}): FastifyInstance {
  const { config } = options;
  const proxies = config.KOMA_TRUSTED_PROXIES;
  const prefix =
    config.KOMA_BASE_URL === undefined ? "" : new URL(config.KOMA_BASE_URL).pathname.replace(/\/$/, "");
  const app = fastify({
    logger:
      typeof options.logger === "object"
        ? { ...options.logger, redact, hooks: { streamWrite: hideAddressSecrets } }
        : (options.logger ?? false),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    trustProxy: proxies.length === 0 ? false : proxies,
    rewriteUrl: (request) =>
      addTraceMoePrefix(
        stripPrefix(removeAuthority(request.url ?? "/"), prefix),
        request.headers.host,
        config.KOMA_TRACE_MOE_HOST,
      ),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 100 },
    schemaController: { compilersFactory: { buildValidator: refuseSchema, buildSerializer: refuseSchema } },
    bodyLimit: imageLimits.bytes,
    // An upload of 10 MiB takes minutes on a slow mobile connection. The upload budget ends stalled uploads
    // earlier.
    requestTimeout: 300_000,
    // Requests on one connection count for every limit; a bound ends connections that clients keep open.
    maxRequestsPerSocket: 1000,
    connectionTimeout: config.KOMA_CONNECTION_IDLE_SECONDS * 1000,
    forceCloseConnections: "idle",
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => sendProblem(toApiError(error), request, reply),
    clientErrorHandler: rejectUnreadableRequest,
  });
  registerConnectionLimit(app, {
    perAddress: config.KOMA_CONNECTIONS_PER_ADDRESS,
    trustedProxies: proxies,
  });
  registerRequestOrder(app);
  registerGracefulClose(app);
  // Without this listener, Node responds with 417 and no body. RFC 9110, section 10.1.1, allows a server to
  // ignore an expectation that it does not know.
  app.server.on("checkExpectation", (request, response) => app.server.emit("request", request, response));
  registerEarlyResponses(app);
  registerResponseBudget(app, options.responseLimits ?? chooseResponseBytes(readMemoryLimit()));
  app.addHook("onRequest", async (request, reply) => {
    reply.header("x-request-id", request.id);
    if (/^\/api(?:[/?]|$)/.test(request.url)) reply.header("cache-control", "no-store");
    // RFC 9112, section 3.2: a proxy could have used the other one.
    const names = request.raw.rawHeaders.filter((_, index) => index % 2 === 0);
    if (names.filter((name) => name.toLowerCase() === "host").length > 1) {
      throw new ApiError("invalid_request", "Send one Host header.");
    }
  });
  app.addHook("onResponse", async (request, reply) => {
    // Known routes are logged by their pattern, because path parameters can be secret (a signature, for
    // example).
    const path = request.is404 ? describeUnknownPath(request.url) : request.routeOptions.url;
    request.log.info(`${request.method} ${path} ${reply.statusCode} ${Math.round(reply.elapsedTime)} ms`);
  });
  return app;
}

/** The contract checks requests and responses. Without Fastify's own compilers, a process loads a hundred modules less. */
function refuseSchema(): never {
  throw new Error("Routes have no schema of Fastify: describe the endpoint in the contract.");
}

/** Libraries log complete headers at the trace level. */
const redact = {
  paths: ["authorization", "cookie", "set-cookie", "x-trace-key"].flatMap((name) => [
    `headers["${name}"]`,
    `*.headers["${name}"]`,
  ]),
  censor: "[left out]",
};
