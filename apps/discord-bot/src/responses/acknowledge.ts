import { isAcknowledged, isExpired } from "../discord/error-codes.ts";

/** The outcome of an acknowledgement. `over`: the interaction accepts no responses. */
export type Acknowledged = "done" | "over";

/**
 * Acknowledges an interaction. One that was acknowledged by an attempt whose response was lost counts as
 * done. Never throws.
 */
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
    // Unless Discord reports an error, the outcome is unknown: the reply itself will show it.
    return isExpired(error) ? "over" : "done";
  }
}
