import type { Endpoint } from "@koma/contract";
import type { Deadline } from "./deadline.ts";
import { ApiProblem, NetworkFailure, UnexpectedResponse } from "./errors.ts";

/**
 * The result of `ask`, which is retried if waiting can resolve its error and the deadline allows the wait.
 * `outageMs`: the time for which it is retried while the API is away. Throws the last error.
 */
export async function repeat<A>(
  endpoint: Endpoint,
  { deadline, outageMs }: { deadline: Deadline; outageMs: number | undefined },
  ask: () => Promise<A>,
): Promise<A> {
  let outageEndsAtMs: number | undefined;
  // p-retry computes waits from the attempt's number alone; here the server's Retry-After and a deadline
  // decide.
  for (let repetition = 0; ; repetition++) {
    try {
      return await ask();
    } catch (error) {
      const isInOutage = outageMs !== undefined && isOutage(error);
      const waitMs = isInOutage
        ? findWaitInOutage(endpoint, error, repetition)
        : findWait(endpoint, error, repetition);
      if (isInOutage) outageEndsAtMs ??= performance.now() + outageMs;
      const isTooLate = isInOutage && performance.now() + (waitMs ?? 0) > (outageEndsAtMs ?? 0);
      if (waitMs === undefined || isTooLate || !deadline.allows(waitMs)) throw error;
      await deadline.wait(waitMs);
    }
  }
}

/** The milliseconds until a retry; undefined if a retry cannot succeed. */
function findWait(endpoint: Endpoint, error: unknown, repetition: number): number | undefined {
  if (error instanceof NetworkFailure) {
    const isWorthIt = error.reason === "unreachable" && isRepeatable(endpoint) && repetition < 2;
    return isWorthIt ? Math.max(readRequest(error.cause) * 1000, 500 * 2 ** repetition) : undefined;
  }
  if (!(error instanceof ApiProblem || error instanceof UnexpectedResponse)) return undefined;
  if (error.status !== 429 && !(error.status === 503 && isRepeatable(endpoint))) return undefined;
  // A minimum delay applies in every case: clients that wait for the same moment must not retry in a tight
  // loop.
  return Math.max((error.retryAfterSeconds ?? 1) * 1000, 100 * 2 ** repetition);
}

/** The milliseconds until a retry while the API is away: at most a second unless the sender asks for more. */
function findWaitInOutage(endpoint: Endpoint, error: unknown, repetition: number): number | undefined {
  if (!isRepeatable(endpoint)) return undefined;
  const seconds = error instanceof NetworkFailure ? readRequest(error.cause) : readRequest(error);
  return Math.max(seconds * 1000, Math.min(1_000, 250 * 2 ** repetition));
}

/** True if the API is away or starts, as its own response, a proxy or the broken connection states. */
function isOutage(error: unknown): boolean {
  if (error instanceof NetworkFailure) return error.reason === "unreachable";
  return (error instanceof ApiProblem || error instanceof UnexpectedResponse) && error.status === 503;
}

function isRepeatable({ method, isRepeatable: isDeclared }: Endpoint): boolean {
  return method !== "POST" || isDeclared === true;
}

/** The seconds until a retry, as the API or a proxy states them. */
function readRequest(cause: unknown): number {
  const isStated = cause instanceof ApiProblem || cause instanceof UnexpectedResponse;
  return isStated ? (cause.retryAfterSeconds ?? 0) : 0;
}
