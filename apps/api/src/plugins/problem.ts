import { TooManyKeysError } from "@koma/accounts";
import { apiKeyLimit, type ErrorCode, Problem, problems } from "@koma/contract";
import { isDatabaseUnavailable } from "@koma/database";
import { EngineBusyError, ImageError, PreviewBusyError, PreviewGoneError } from "@koma/library";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "../api-error.ts";

/** Answers every error, and every address that is not there, with the contract's Problem. */
export function registerProblems(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const known = toApiError(error);
    const hasHungUp = reply.raw.destroyed;
    if (known.code === "internal_error" && !hasHungUp) request.log.error({ err: error }, "request failed");
    return sendProblem(known, request, reply);
  });
  app.setNotFoundHandler({ preHandler: app.rateLimit() }, (request, reply) =>
    sendProblem(new ApiError("not_found", "There is nothing at this address."), request, reply),
  );
}

/** Sends an error outside of a route too (a request that the router cannot read). */
export function sendProblem(error: ApiError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { retryAfterSeconds, ...extras } = error.extras;
  if (retryAfterSeconds !== undefined) reply.header("retry-after", Math.max(1, Math.ceil(retryAfterSeconds)));
  if (error.statusCode === 401) reply.header("www-authenticate", 'Bearer realm="koma"');
  return reply
    .code(error.statusCode)
    .header("x-request-id", request.id)
    .header("cache-control", "no-store")
    .header("content-type", "application/problem+json; charset=utf-8")
    .serializer(JSON.stringify)
    .send(describeProblem(error.code, error.message, request.id, extras));
}

/** The body of an error answer. */
export function describeProblem(
  code: ErrorCode,
  detail: string,
  requestId: string,
  extras: Pick<Problem, "errors" | "quota"> = {},
): Problem {
  return Problem.parse({
    type: `urn:koma:problem:${code}`,
    ...problems[code],
    detail,
    code,
    requestId,
    ...(code === "invalid_request" && { errors: [{ path: "", message: detail }] }),
    ...extras,
  });
}

/** The contract's error for whatever was thrown; what is unknown tells nothing of the inside. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof ImageError) return new ApiError(error.code, error.message);
  if (error instanceof EngineBusyError || error instanceof PreviewBusyError) {
    return new ApiError("search_busy", "Too many requests are being worked on. Try again in a moment.", {
      retryAfterSeconds: 2,
    });
  }
  if (isDatabaseUnavailable(error)) {
    return new ApiError("not_ready", "The database does not answer. Try again in a moment.", {
      retryAfterSeconds: 5,
    });
  }
  if (error instanceof TooManyKeysError) {
    const detail = `One person has at most ${apiKeyLimit} API keys: one of them has to be ended first.`;
    return new ApiError("invalid_request", detail);
  }
  if (error instanceof PreviewGoneError)
    return new ApiError("not_found", "The film of this preview is gone.");
  const status = error instanceof Error && "statusCode" in error ? error.statusCode : undefined;
  if (status === 415) return new ApiError("unsupported_media_type", "The content type is not to be read.");
  if (typeof status === "number" && status >= 400 && status < 500) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    // The server's own words repeat the whole address.
    return new ApiError("invalid_request", serverErrors[code] ?? "The request cannot be read.");
  }
  return new ApiError("internal_error", "Something went wrong. The request id helps to find out what.");
}

/** What the server finds wrong with a request before any route does, in plain words. */
const serverErrors: Record<string, string | undefined> = {
  FST_ERR_MAX_PARAM_LENGTH: "A part of the address is too long.",
  FST_ERR_BAD_URL: "The address cannot be read.",
  FST_ERR_CTP_BODY_TOO_LARGE: "The body is too large.",
  FST_ERR_CTP_EMPTY_JSON_BODY: "The body is empty.",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "The body is not as long as Content-Length says.",
};
