import { asList, asNumber, asText } from "@koma/fake-chat";
import type { Description } from "../rules/read-description.ts";
import type { FakeState } from "../state/fake-state.ts";
import type { UpdateQueue } from "../state/updates.ts";
import { type Call, deny, type Rejecter } from "./call.ts";
import { conflict } from "./faults.ts";

/** getUpdates: one caller at a time, who waits until there is an update. */
export function createPolling(state: FakeState, updates: UpdateQueue, description: Description) {
  let endOther: (() => void) | undefined;

  return {
    get isPolled() {
      return endOther !== undefined;
    },

    async poll(call: Call, isGone: AbortSignal, hasWebhook: boolean): Promise<unknown> {
      if (hasWebhook)
        deny(
          "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
          409,
        );
      endOther?.();
      readAllowed(call.reject, description, updates, call.parameters.allowed_updates);
      const limit = asNumber(call.parameters.limit) ?? 100;
      const offset = asNumber(call.parameters.offset) ?? 0;
      const ready = updates.take(offset, limit);
      const timeoutMs = Math.min(asNumber(call.parameters.timeout) ?? 0, 50) * 1000;
      if (ready.length > 0 || timeoutMs === 0) return ready;
      const outcome = await new Promise<"ready" | "over" | "other" | "gone">((resolve) => {
        const stop = updates.listen(() => done("ready"));
        const timer = setTimeout(() => done("over"), timeoutMs);
        const end = () => done("other");
        const leave = () => done("gone");
        const done = (how: "ready" | "over" | "other" | "gone") => {
          stop();
          clearTimeout(timer);
          isGone.removeEventListener("abort", leave);
          if (endOther === end) endOther = undefined;
          resolve(how);
        };
        endOther = end;
        isGone.addEventListener("abort", leave);
        state.announce();
      });
      if (outcome === "other") throw conflict;
      // A caller that disconnected gets nothing: the updates wait for the next one.
      return outcome === "gone" ? [] : updates.take(offset, limit);
    },
  };
}

/** The update types that the bot requests; unchanged if the call does not contain them. */
export function readAllowed(
  reject: Rejecter,
  description: Description,
  updates: UpdateQueue,
  value: unknown,
) {
  if (value === undefined) return;
  const kinds = asList(value).flatMap((kind) => asText(kind) ?? []);
  const known = description.types.Update?.fields?.map(({ name }) => name);
  for (const kind of kinds)
    if (known && (!known.includes(kind) || kind === "update_id"))
      reject.blame("allowed-updates", `there are no updates called "${kind}"`);
  updates.setAllowed(kinds);
}
