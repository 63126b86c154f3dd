import { type Endpoint, Problem, type Reply } from "@koma/contract";
import { ApiProblem, NetworkFailure, UnexpectedResponse } from "./errors.ts";

/** A response with its complete body. */
export type Received = { status: number; headers: Headers; body: Blob };

/**
 * The content of a response, checked against the contract. Throws ApiProblem, NetworkFailure or
 * UnexpectedResponse.
 */
export async function readResponse(endpoint: Endpoint, response: Received): Promise<unknown> {
  const reply: Reply | undefined = endpoint.replies[response.status];
  if (reply === undefined) throw await readProblem(endpoint, response);
  if ("contentType" in reply) return response.body;
  if (!("body" in reply)) return undefined;
  const checked = reply.body.safeParse(await readJson(response));
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  throw unexpected(endpoint, response, `${issue?.path.join(".") || "the body"}: ${issue?.message}`);
}

async function readProblem(
  endpoint: Endpoint,
  response: Received,
): Promise<ApiProblem | NetworkFailure | UnexpectedResponse> {
  const problem = Problem.safeParse(await readJson(response));
  if (problem.success) return new ApiProblem(problem.data, readRetryAfter(response.headers));
  const cause = unexpected(endpoint, response, "neither a reply of the contract nor a problem");
  // A proxy sends this response when the API is unreachable.
  return gatewayStatuses.has(response.status) ? new NetworkFailure("unreachable", { cause }) : cause;
}

const gatewayStatuses: ReadonlySet<number> = new Set([502, 503, 504]);

function unexpected(endpoint: Endpoint, response: Received, why: string): UnexpectedResponse {
  return new UnexpectedResponse(`${endpoint.id} received the response ${response.status}, ${why}.`, {
    status: response.status,
    retryAfterSeconds: readRetryAfter(response.headers),
  });
}

async function readJson(response: Received): Promise<unknown> {
  try {
    return JSON.parse(await response.body.text());
  } catch {
    return undefined;
  }
}

/** The seconds of `Retry-After`, which is a number of seconds or a date (RFC 9110, 10.2.3). */
function readRetryAfter(headers: Headers): number | undefined {
  const written = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+$/.test(written)) return Number(written);
  const at = Date.parse(written);
  if (Number.isNaN(at)) return undefined;
  // Relative to the sender's clock, if it is known.
  const sentAt = Date.parse(headers.get("date") ?? "");
  return Math.max(0, (at - (Number.isNaN(sentAt) ? Date.now() : sentAt)) / 1000);
}
