import { isAcknowledged, isExpired } from "../discord/error-codes.ts";

/** What came of acknowledging an interaction. `over`: nothing can be said through it any more. */
export type Acknowledged = "done" | "over";

/** Acknowledges; one that was acknowledged before, by an attempt whose answer got lost, counts as done. Never throws. */
export async function acknowledge(
  send: () => Promise<unknown>,
  onError: (error: unknown) => void,
): Promise<Acknowledged> {
  try {
    await send();
    return "done";
  } catch (error) {
    if (isAcknowledged(error)) return "done";
    onError(error);
    // Whether Discord took it is unknown unless it says no: then the answer itself will tell.
    return isExpired(error) ? "over" : "done";
  }
}
