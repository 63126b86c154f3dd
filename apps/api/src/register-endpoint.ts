import type { Endpoint } from "@koma/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import { ApiError } from "./api-error.ts";
import type { Caller, createCallerIdentification } from "./caller.ts";
import { check } from "./check.ts";
import { acceptBody } from "./request-body.ts";
import type { UploadBudget } from "./search/upload-budget.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** Identifies the caller of a request. */
    identifyCaller: ReturnType<typeof createCallerIdentification>;
  }
}

/** A request with validated parameters and body, and its caller. */
export type EndpointRequest<E extends Endpoint> = {
  params: Checked<E["params"]>;
  query: Checked<E["query"]>;
  headers: Checked<E["headers"]>;
  json: Checked<E["json"]>;
  /** The unparsed body, if the endpoint requires it. */
  bytes: E extends { raw: object } ? Buffer : undefined;
  caller: CallerOf<E["security"]>;
  raw: FastifyRequest;
  reply: FastifyReply;
};

/**
 * The result of a handler: the JSON body of the reply. It is undefined if the reply has no JSON body or the
 * handler sends it. It includes the status if several replies have JSON bodies.
 */
export type EndpointResponse<E extends Endpoint> =
  IsOne<keyof E["replies"]> extends true
    ? ResponseOf<E["replies"][keyof E["replies"]]>
    : E["replies"][keyof E["replies"]] extends { contentType: string }
      ? // biome-ignore lint/suspicious/noConfusingVoidType: nothing is handed on.
        void
      : { [S in keyof E["replies"]]: { status: S; body: ResponseOf<E["replies"][S]> } }[keyof E["replies"]];

/**
 * Serves an endpoint of the contract. Its caller, parameters, body and response are checked against the
 * contract.
 */
export function registerEndpoint<E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handle: (request: EndpointRequest<E>) => Promise<EndpointResponse<E>>,
  options: {
    isUnlimited?: boolean;
    isServed?: () => boolean;
    /** Checks the address and the headers before the body is received. Throws ApiError. */
    checkHead?: (request: FastifyRequest) => void;
    /** The budget of an unparsed body. */
    uploads?: UploadBudget;
    /** The handler has checked the body of its response against the contract. */
    isChecked?: boolean;
  } = {},
): void {
  const callers = new WeakMap<FastifyRequest, Caller>();
  // Each endpoint has a scope of its own, because content type parsers belong to a scope.
  app.register(async (scope) => {
    acceptBody(scope, endpoint, options.uploads);
    scope.route({
      method: endpoint.method,
      url: endpoint.path.replace(/\{(\w+)\}/g, ":$1"),
      ...(options.isUnlimited ? { config: { rateLimit: false } } : {}),
      // The caller is identified after the general limit and before the body is read.
      preParsing: async (request, _reply, body) => {
        if (options.isServed?.() === false)
          throw new ApiError("not_found", "This instance does not offer this.");
        options.checkHead?.(request);
        if (endpoint.security.length === 0) return body;
        const caller = await app.identifyCaller(request, endpoint);
        if (caller !== undefined) callers.set(request, caller);
        return body;
      },
      handler: async (request, reply) => {
        const response = await handle({
          params: check(endpoint.params, request.params) as Checked<E["params"]>,
          query: check(endpoint.query, request.query) as Checked<E["query"]>,
          headers: check(endpoint.headers, request.headers) as Checked<E["headers"]>,
          json: check(endpoint.json, request.body) as Checked<E["json"]>,
          bytes: request.body as EndpointRequest<E>["bytes"],
          caller: callers.get(request) as CallerOf<E["security"]>,
          raw: request,
          reply,
        });
        return sendResponse(endpoint, reply, response, options.isChecked);
      },
    });
  });
}

function sendResponse(
  endpoint: Endpoint,
  reply: FastifyReply,
  response: unknown,
  isChecked = false,
): FastifyReply {
  // The handler has sent the response.
  if (Object.values(endpoint.replies).some((described) => "contentType" in described)) return reply;
  const statuses = Object.keys(endpoint.replies).map(Number);
  const { status = 200, body } =
    statuses.length === 1 ? { status: statuses[0], body: response } : (response as Chosen);
  const described = endpoint.replies[status];
  if (described === undefined) throw new TypeError(`${endpoint.id} has no reply ${status}.`);
  if (!("body" in described)) return reply.code(status).send();
  return reply.code(status).send(isChecked ? body : described.body.parse(body));
}

type Chosen = { status: number; body: unknown };
type Checked<S> = S extends z.ZodType ? z.output<S> : undefined;
type ResponseOf<R> = R extends { body: infer B extends z.ZodType }
  ? z.input<B>
  : // biome-ignore lint/suspicious/noConfusingVoidType: handlers of endpoints without a body need not return.
    void;
type CallerOf<S extends Endpoint["security"]> = S extends readonly []
  ? undefined
  : "guest" extends S[number]
    ? Caller
    : Extract<Caller, { kind: "user" }>;
type IsOne<T, All = T> = T extends unknown ? ([All] extends [T] ? true : false) : never;
