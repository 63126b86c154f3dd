import { type Endpoint, problems } from "@koma/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import { ApiError } from "./api-error.ts";

/** A request whose parameters fit the endpoint. */
export type EndpointRequest<E extends Endpoint> = {
  params: Checked<E["params"]>;
  query: Checked<E["query"]>;
  headers: Checked<E["headers"]>;
  raw: FastifyRequest;
  reply: FastifyReply;
};

/** What the handler of an endpoint gives: the JSON body of its 200 reply, or the reply that it has sent itself. */
export type EndpointAnswer<E extends Endpoint> = E["replies"][200] extends { body: infer B extends z.ZodType }
  ? z.input<B>
  : FastifyReply;

/** Serves an endpoint of the contract: parameters and the answer are checked against it. */
export function registerEndpoint<E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handle: (request: EndpointRequest<E>) => Promise<EndpointAnswer<E>>,
  options: { isUnlimited?: boolean } = {},
): void {
  const reply200 = endpoint.replies[200];
  const body = reply200 !== undefined && "body" in reply200 ? reply200.body : undefined;
  app.route({
    method: endpoint.method,
    url: endpoint.path.replace(/\{(\w+)\}/g, ":$1"),
    ...(options.isUnlimited ? { config: { rateLimit: false } } : {}),
    handler: async (request, reply) => {
      const answer = await handle({
        params: check(endpoint.params, request.params) as Checked<E["params"]>,
        query: check(endpoint.query, request.query) as Checked<E["query"]>,
        headers: check(endpoint.headers, request.headers) as Checked<E["headers"]>,
        raw: request,
        reply,
      });
      return body === undefined ? answer : body.parse(answer);
    },
  });
}

/** The fields that fit a schema. Throws the ApiError that names each one that does not. */
export function check<S extends z.ZodType>(schema: S | undefined, given: unknown): z.output<S> | undefined {
  if (schema === undefined) return undefined;
  const checked = schema.safeParse(given);
  if (checked.success) return checked.data;
  const errors = checked.error.issues.map((issue) => ({
    path: issue.path.join("."),
    message: issue.message,
  }));
  const detail = errors.map((error) => `${error.path}: ${error.message}`).join("; ");
  throw new ApiError("invalid_request", detail || problems.invalid_request.title, { errors });
}

type Checked<S> = S extends z.ZodType ? z.output<S> : undefined;
