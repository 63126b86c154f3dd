import type { Quota } from "@koma/contract";
import type { ApiError } from "../api-error.ts";
import { toApiError } from "../plugins/problem.ts";

/** An error in the form of trace.moe's API. */
export class TraceMoeError extends Error {
  override readonly name = "TraceMoeError";
  readonly statusCode: number;
  readonly extras: { quota?: number; quotaUsed?: number; retryAfterSeconds?: number | undefined };

  constructor(statusCode: number, message: string, extras: TraceMoeError["extras"] = {}) {
    super(message);
    this.statusCode = statusCode;
    this.extras = extras;
  }
}

/** The quota of a caller in trace.moe's fields. Purchased credits raise the limit. */
export function toTraceMoeQuota({ limit, remaining }: Quota): { quota: number; quotaUsed: number } {
  const quota = Math.max(limit, remaining);
  return { quota, quotaUsed: quota - remaining };
}

/**
 * The status and the message of trace.moe's API for an error of Koma. `imageUrl` is the address of the query.
 */
export function toTraceMoeError(error: unknown, imageUrl?: string): TraceMoeError {
  if (error instanceof TraceMoeError) return error;
  const known = toApiError(error);
  const { retryAfterSeconds } = known.extras;
  switch (known.code) {
    case "invalid_api_key":
    case "unauthenticated":
      return new TraceMoeError(403, "Invalid API key");
    case "guest_limit_reached":
    case "credits_exhausted":
      return describeDepletedQuota(known);
    case "image_unreadable":
    case "unsupported_image_type":
      return new TraceMoeError(400, "Failed to process image");
    case "url_not_allowed":
    case "url_fetch_failed":
      return new TraceMoeError(400, `Failed to fetch image ${imageUrl}`);
    case "image_too_large":
      return new TraceMoeError(413, "Payload Too Large");
    case "upload_too_slow":
      return new TraceMoeError(408, "Request Timeout");
    case "search_busy":
      return new TraceMoeError(503, "Error: Search queue is full", { retryAfterSeconds });
    case "too_many_requests":
      return new TraceMoeError(429, "Too many requests, please try again later.", { retryAfterSeconds });
    case "internal_error":
      return new TraceMoeError(500, "Internal Server Error");
    case "not_found":
      return new TraceMoeError(404, "Not Found");
    default:
      return new TraceMoeError(known.statusCode, known.message, { retryAfterSeconds });
  }
}

function describeDepletedQuota({ extras }: ApiError): TraceMoeError {
  const { quota, quotaUsed } = toTraceMoeQuota(
    extras.quota ?? { kind: "guest", limit: 0, remaining: 0, resetsAt: "" },
  );
  return new TraceMoeError(402, `Search quota depleted (quota per 24 hours: ${quota}, used: ${quotaUsed})`, {
    quota,
    quotaUsed,
  });
}
