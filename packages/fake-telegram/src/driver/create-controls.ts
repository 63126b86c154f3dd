import { asObject } from "@koma/fake-chat";
import type { Update } from "grammy/types";
import type { WebhookDelivery } from "../http/webhook.ts";
import type { FakeState } from "../state/fake-state.ts";
import type { UpdateQueue } from "../state/updates.ts";

/** Telegram's side for tests: updates, the webhook, the bot's profile. */
export function createControls(
  state: FakeState,
  parts: { updates: UpdateQueue; polling: { isPolled: boolean }; delivery: WebhookDelivery },
) {
  const { delivery, polling, updates } = parts;
  return {
    updates: {
      /** The number of updates that the bot has not confirmed (or its webhook not accepted). */
      get pendingCount() {
        return updates.pending.length;
      },
      /** All updates for the bot, without those of types that it does not request. */
      all: updates.all as readonly Update[],
      /** Delivers an update again, as Telegram does after a lost confirmation. Default: the last. */
      deliverAgain(id = updates.all.at(-1)?.update_id) {
        const update = updates.all.find((one) => one.update_id === id);
        if (!update) throw new Error("There is no such update.");
        updates.repeat({ ...update });
      },
      /** Any update, with a new id. */
      deliver(update: Omit<Update, "update_id">): number {
        const [[kind, value] = []] = Object.entries(update);
        const id = kind === undefined ? undefined : updates.push(kind, asObject(value) ?? {});
        if (id === undefined) throw new Error("The bot does not request such updates.");
        return id;
      },
      /** An update with any content, also one that contradicts the description of the Bot API. */
      deliverRaw: updates.pushRaw,
      /** Waits until the bot polls (or its webhook is set). */
      ready: () =>
        state.waitUntil(() => polling.isPolled || delivery.hook !== undefined, "a poll of the bot"),
      /** Waits until every update is confirmed, and no call is in progress or has arrived for `quietMs`. */
      settled: (quietMs = 200) =>
        state
          .waitFor(
            () => {
              const isQuiet = state.underWay === 0 && Date.now() - state.lastCallAt >= quietMs;
              return (isQuiet && updates.pending.length === 0) || undefined;
            },
            () =>
              `idle state: ${updates.pending.length} updates wait, ${state.underWay} calls are in progress`,
          )
          .then(() => undefined),
    },
    webhook: {
      get url() {
        return delivery.hook?.url ?? "";
      },
      get secret() {
        return delivery.hook?.secret;
      },
      /** Posts the last update as an attacker would: with a wrong secret (or none). Returns the status. */
      post({ secret, url = delivery.hook?.url }: { secret: string | undefined; url?: string }) {
        if (url === undefined) throw new Error("No webhook is set.");
        return delivery.post(url, secret, { update_id: 1, ...updates.all.at(-1) });
      },
    },
    profile: {
      name: (language = "") => state.profile.get(`name/${language}`),
    },
  };
}
