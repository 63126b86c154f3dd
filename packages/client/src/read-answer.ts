import { type Endpoint, Problem, type Reply } from "@koma/contract";
import { ApiProblem, NetworkFailure, UnexpectedAnswer } from "./errors.ts";

/** An answer whose body has arrived. */
export type Received = { status: number; headers: Headers; body: Blob };

/** The content of an answer, checked against the contract. Throws ApiProblem, NetworkFailure or UnexpectedAnswer. */
export async function readAnswer(endpoint: Endpoint, answer: Received): Promise<unknown> {
  const reply: Reply | undefined = endpoint.replies[answer.status];
  if (reply === undefined) throw await readProblem(endpoint, answer);
  if ("contentType" in reply) return answer.body;
  if (!("body" in reply)) return undefined;
  const checked = reply.body.safeParse(await readJson(answer));
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  throw unexpected(endpoint, answer, `${issue?.path.join(".") || "the body"}: ${issue?.message}`);
}

async function readProblem(
  endpoint: Endpoint,
  answer: Received,
): Promise<ApiProblem | NetworkFailure | UnexpectedAnswer> {
  const problem = Problem.safeParse(await readJson(answer));
  if (problem.success) return new ApiProblem(problem.data, readRetryAfter(answer.headers));
  const cause = unexpected(endpoint, answer, "neither a reply of the contract nor a problem");
  // So answers a proxy in front of an API that is not there.
  return gatewayStatuses.has(answer.status) ? new NetworkFailure("unreachable", { cause }) : cause;
}

const gatewayStatuses: ReadonlySet<number> = new Set([502, 503, 504]);

function unexpected(endpoint: Endpoint, answer: Received, why: string): UnexpectedAnswer {
  return new UnexpectedAnswer(`${endpoint.id} was answered with ${answer.status}, ${why}.`, {
    status: answer.status,
    retryAfterSeconds: readRetryAfter(answer.headers),
  });
}

async function readJson(answer: Received): Promise<unknown> {
  try {
    return JSON.parse(await answer.body.text());
  } catch {
    return undefined;
  }
}

/** `Retry-After` in seconds from now, whether it was sent as seconds or as a date (RFC 9110, 10.2.3). */
function readRetryAfter(headers: Headers): number | undefined {
  const written = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+$/.test(written)) return Number(written);
  const at = Date.parse(written);
  if (Number.isNaN(at)) return undefined;
  // By the clock of whoever wrote it, where that is known.
  const sentAt = Date.parse(headers.get("date") ?? "");
  return Math.max(0, (at - (Number.isNaN(sentAt) ? Date.now() : sentAt)) / 1000);
}
