import { setTimeout as sleep } from "node:timers/promises";

/** The result of the work, or `otherwise` if it fails or takes longer. */
export async function within<A>(ms: number, work: Promise<A>, otherwise: A): Promise<A> {
  const late = new AbortController();
  try {
    return await Promise.race([work, sleep(ms, otherwise, { signal: late.signal })]);
  } catch {
    return otherwise;
  } finally {
    late.abort();
  }
}
