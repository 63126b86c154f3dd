import type { Endpoint } from "@koma/contract";
import type { Deadline } from "./deadline.ts";
import { ApiProblem, NetworkFailure, UnexpectedResponse } from "./errors.ts";

/**
 * The result of `ask`, which is retried if waiting can resolve its error and the deadline allows the wait.
 * Throws the last error.
 */
export async function repeat<A>(endpoint: Endpoint, deadline: Deadline, ask: () => Promise<A>): Promise<A> {
  // p-retry computes waits from the attempt's number alone; here the server's Retry-After and a deadline
  // decide.
  for (let repetition = 0; ; repetition++) {
    try {
      return await ask();
    } catch (error) {
      const waitMs = findWait(endpoint, error, repetition);
      if (waitMs === undefined || !deadline.allows(waitMs)) throw error;
      await deadline.wait(waitMs);
    }
  }
}

/** The milliseconds until a retry; undefined if a retry cannot succeed. */
function findWait(endpoint: Endpoint, error: unknown, repetition: number): number | undefined {
  const isRepeatable = endpoint.method !== "POST" || endpoint.isRepeatable === true;
  if (error instanceof NetworkFailure) {
    const isWorthIt = error.reason === "unreachable" && isRepeatable && repetition < 2;
    return isWorthIt ? Math.max(readRequest(error.cause) * 1000, 500 * 2 ** repetition) : undefined;
  }
  if (!(error instanceof ApiProblem || error instanceof UnexpectedResponse)) return undefined;
  if (error.status !== 429 && !(error.status === 503 && isRepeatable)) return undefined;
  // A minimum delay applies in every case: clients that wait for the same moment must not retry in a tight
  // loop.
  return Math.max((error.retryAfterSeconds ?? 1) * 1000, 100 * 2 ** repetition);
}

/** The seconds until a retry, as a proxy of the API states them. */
function readRequest(cause: unknown): number {
  return cause instanceof UnexpectedResponse ? (cause.retryAfterSeconds ?? 0) : 0;
}
