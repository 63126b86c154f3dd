import { once } from "node:events";
import { asList, asNumber, asText } from "@koma/fake-chat";
import { botApi } from "../rules/bot-api.ts";
import type { FakeState } from "../state/fake-state.ts";
import type { UpdateQueue } from "../state/updates.ts";
import { type Call, deny, type Rejecter } from "./call.ts";
import { conflict } from "./faults.ts";

/** getUpdates: one caller at a time, who waits until there is an update. */
export function createPolling(state: FakeState, updates: UpdateQueue) {
  let waiting: AbortController | undefined;

  return {
    get isPolled() {
      return waiting !== undefined;
    },

    async poll(call: Call, isGone: AbortSignal, hasWebhook: boolean): Promise<unknown> {
      if (hasWebhook)
        deny(
          "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
          409,
        );
      waiting?.abort();
      readAllowed(call.reject, updates, call.parameters.allowed_updates);
      const limit = asNumber(call.parameters.limit) ?? 100;
      const offset = asNumber(call.parameters.offset) ?? 0;
      const ready = updates.take(offset, limit);
      const timeoutMs = Math.min(asNumber(call.parameters.timeout) ?? 0, 50) * 1000;
      if (ready.length > 0 || timeoutMs === 0) return ready;
      const own = new AbortController();
      waiting = own;
      state.announce();
      const signal = AbortSignal.any([isGone, own.signal, AbortSignal.timeout(timeoutMs)]);
      await once(updates.arrivals, "update", { signal }).catch(() => undefined);
      if (waiting === own) waiting = undefined;
      if (own.signal.aborted) throw conflict;
      // A caller that disconnected gets nothing: the updates wait for the next one.
      return isGone.aborted ? [] : updates.take(offset, limit);
    },
  };
}

/** The update types that the bot requests; unchanged if the call does not contain them. */
export function readAllowed(reject: Rejecter, updates: UpdateQueue, value: unknown) {
  if (value === undefined) return;
  const kinds = asList(value).flatMap((kind) => asText(kind) ?? []);
  const known = botApi.types.Update?.fields?.map(({ name }) => name);
  for (const kind of kinds)
    if (known && (!known.includes(kind) || kind === "update_id"))
      reject.blame("allowed-updates", `there are no updates called "${kind}"`);
  updates.setAllowed(kinds);
}
