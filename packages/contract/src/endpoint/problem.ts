import { z } from "zod";
import { Quota } from "../quota/quota.ts";
import { exampleOf } from "./example.ts";

/** Every error of the service: its HTTP status, its title and an example of its detail. */
export const problems = {
  invalid_request: { status: 400, title: "The request has an invalid value." },
  image_required: { status: 400, title: "An image is required." },
  image_and_url: { status: 400, title: "Send an image or an address, not both." },
  url_not_allowed: { status: 400, title: "This address may not be fetched." },
  unauthenticated: { status: 401, title: "Authentication is required." },
  invalid_api_key: { status: 401, title: "The API key is not valid." },
  credits_exhausted: { status: 402, title: "No credits are left." },
  untrusted_origin: { status: 403, title: "The request comes from a site that is not trusted." },
  two_factor_required: { status: 403, title: "A second factor is required." },
  forbidden: { status: 403, title: "This is not allowed." },
  link_denied: { status: 403, title: "The link was denied." },
  not_found: { status: 404, title: "The resource does not exist." },
  upload_too_slow: { status: 408, title: "The upload is too slow." },
  confirmation_expired: { status: 409, title: "This search can no longer be confirmed." },
  link_expired: { status: 410, title: "The link has expired." },
  image_too_large: { status: 413, title: "The image is too large." },
  unsupported_image_type: {
    status: 415,
    title: "Only JPEG, PNG, WebP, GIF, AVIF and BMP images and MP4 and WebM videos can be searched.",
  },
  unsupported_media_type: { status: 415, title: "The request body has the wrong content type." },
  range_not_satisfiable: { status: 416, title: "The file does not have this range." },
  image_unreadable: { status: 422, title: "The image cannot be decoded." },
  idempotency_key_reused: { status: 422, title: "The Idempotency-Key belongs to another request." },
  url_fetch_failed: { status: 422, title: "The image could not be fetched." },
  guest_limit_reached: { status: 429, title: "No free searches are left for today." },
  hourly_limit_reached: { status: 429, title: "Too many searches in an hour." },
  too_many_requests: { status: 429, title: "Too many requests." },
  slow_down: { status: 429, title: "The polling is too fast." },
  internal_error: { status: 500, title: "Internal error." },
  search_busy: { status: 503, title: "The server is busy." },
  not_ready: { status: 503, title: "The service is not ready." },
} as const satisfies Record<string, { status: number; title: string }>;

/** The machine-readable code of an error; codes never change their meaning. */
export type ErrorCode = keyof typeof problems;

const codes = Object.keys(problems) as [ErrorCode, ...ErrorCode[]];

/** The body of every error response (RFC 9457, `application/problem+json`). */
export const Problem = z
  .object({
    type: z.string().describe("The type of the problem: `urn:koma:problem:` and the code."),
    title: z.string().describe("One sentence for the type of problem."),
    status: z.int().min(400).max(599).describe("The HTTP status."),
    detail: z.string().describe("The problem of this request, and the remedy."),
    code: z.enum(codes).describe("The error code for programs."),
    requestId: z.string().describe("The id of the request in the log, also in `x-request-id`."),
    errors: z
      .array(
        z.object({
          path: z.string().describe("The name of the field; empty where no single field is invalid."),
          message: z.string().describe("The problem of the field."),
        }),
      )
      .optional()
      .describe("`invalid_request`: each invalid field or parameter."),
    quota: Quota.optional().describe(
      "For a reached limit: the remaining quota, and the time of its renewal.",
    ),
  })
  .describe("A problem as in RFC 9457.");
export type Problem = z.infer<typeof Problem>;

/** An example response with this error. */
export function exampleProblem(code: ErrorCode): Problem {
  const { status, title } = problems[code];
  return {
    type: `urn:koma:problem:${code}`,
    title,
    status,
    detail: title,
    code,
    requestId: "req-1a2b",
    ...(code === "invalid_request" && { errors: [{ path: "limit", message: "must be at most 100" }] }),
    ...(limited.includes(code) && { quota: { ...exampleOf(Quota), remaining: 0 } }),
  };
}

const limited: ErrorCode[] = ["credits_exhausted", "guest_limit_reached", "hourly_limit_reached"];
