import type { Endpoint } from "@koma/contract";
import type { Deadline } from "./deadline.ts";
import { ApiProblem, NetworkFailure, UnexpectedResponse } from "./errors.ts";

/**
 * The answer of `ask`, which is asked again where waiting can cure its error and the deadline allows the wait. Throws the
 * last error.
 */
export async function repeat<A>(endpoint: Endpoint, deadline: Deadline, ask: () => Promise<A>): Promise<A> {
  // p-retry computes waits from the attempt's number alone; here the server's Retry-After and a deadline decide.
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

/** Milliseconds after which asking again makes sense; undefined: never. */
function findWait(endpoint: Endpoint, error: unknown, repetition: number): number | undefined {
  const isRepeatable = endpoint.method !== "POST" || endpoint.isRepeatable === true;
  if (error instanceof NetworkFailure) {
    const isWorthIt = error.reason === "unreachable" && isRepeatable && repetition < 2;
    return isWorthIt ? Math.max(readRequest(error.cause) * 1000, 500 * 2 ** repetition) : undefined;
  }
  if (!(error instanceof ApiProblem || error instanceof UnexpectedResponse)) return undefined;
  if (error.status !== 429 && !(error.status === 503 && isRepeatable)) return undefined;
  // Never at once, whatever is asked for: many clients that wait for the same moment must not make it a hot loop.
  return Math.max((error.retryAfterSeconds ?? 1) * 1000, 100 * 2 ** repetition);
}

/** Seconds after which a proxy in front of the API wants to be asked again. */
function readRequest(cause: unknown): number {
  return cause instanceof UnexpectedResponse ? (cause.retryAfterSeconds ?? 0) : 0;
}
