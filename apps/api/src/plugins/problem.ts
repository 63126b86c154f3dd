import { TooManyKeysError } from "@koma/accounts";
import { apiKeyLimit, type ErrorCode, Problem, problems } from "@koma/contract";
import { isDatabaseUnavailable, isDiskFull } from "@koma/database";
import { ImageFetchError } from "@koma/image-fetch";
import {
  EngineBusyError,
  ImageError,
  PreviewBusyError,
  PreviewGoneError,
  PreviewUnavailableError,
  ToolStoppedError,
} from "@koma/library";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "../api-error.ts";

/** Responds to every error and every unknown address with the contract's Problem. */
export function registerProblems(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const known = toApiError(error);
    const hasHungUp = reply.raw.destroyed;
    const isFault = known.code === "internal_error" || isDiskFull(error);
    if (isFault && !hasHungUp) request.log.error({ err: error }, "request failed");
    return sendProblem(known, request, reply);
  });
  app.setNotFoundHandler({ preHandler: app.rateLimit() }, (request, reply) =>
    sendProblem(new ApiError("not_found", "This address does not exist."), request, reply),
  );
}

/** Sends an error, also outside of a route (for a request that the router cannot read). */
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

/** The body of an error response. */
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

/** Maps a thrown value to the contract's error. Unknown errors reveal no internals. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof ImageFetchError) return new ApiError(error.code, error.message);
  if (error instanceof ImageError) return new ApiError(error.code, error.message);
  if (error instanceof EngineBusyError || error instanceof PreviewBusyError) {
    return new ApiError("search_busy", "Too many requests are in progress. Try again in a moment.", {
      retryAfterSeconds: 2,
    });
  }
  if (error instanceof ToolStoppedError) {
    return new ApiError("not_ready", "The server is starting again. Try again in a moment.", {
      retryAfterSeconds: 5,
    });
  }
  if (isDiskFull(error)) {
    return new ApiError("not_ready", "The disk of the server is full. Try again later.", {
      retryAfterSeconds: 10,
    });
  }
  if (isDatabaseUnavailable(error)) {
    return new ApiError("not_ready", "The database does not respond. Try again in a moment.", {
      retryAfterSeconds: 5,
    });
  }
  if (error instanceof PreviewUnavailableError) {
    return new ApiError("not_ready", "No machine with this video responds. Try again later.", {
      retryAfterSeconds: 10,
    });
  }
  if (error instanceof TooManyKeysError) {
    const detail = `An account has at most ${apiKeyLimit} API keys. Revoke one of them first.`;
    return new ApiError("invalid_request", detail);
  }
  if (error instanceof PreviewGoneError) return new ApiError("not_found", error.message);
  const status = error instanceof Error && "statusCode" in error ? error.statusCode : undefined;
  if (status === 415) return new ApiError("unsupported_media_type", "The content type is not supported.");
  if (typeof status === "number" && status >= 400 && status < 500) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    // The message of Fastify repeats the complete address.
    return new ApiError("invalid_request", serverErrors[code] ?? "The request cannot be read.");
  }
  return new ApiError(
    "internal_error",
    "An unexpected error occurred. The request id identifies it in the log of the server.",
  );
}

/** Plain messages for errors that Fastify finds before a route runs. */
const serverErrors: Record<string, string | undefined> = {
  FST_ERR_MAX_PARAM_LENGTH: "A part of the address is too long.",
  FST_ERR_BAD_URL: "The address cannot be decoded.",
  FST_ERR_CTP_BODY_TOO_LARGE: "The body is too large.",
  FST_ERR_CTP_EMPTY_JSON_BODY: "The body is empty.",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "The length of the body differs from Content-Length.",
};
