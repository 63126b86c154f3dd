import { asObject } from "@koma/fake-chat";
import type { WebhookDelivery } from "../http/webhook.ts";
import type { FakeState } from "../state/fake-state.ts";
import type { UpdateQueue } from "../state/updates.ts";
import type { Profile, Updates, Webhook } from "../types.ts";

/** Telegram's side for tests: updates, the webhook, the bot's profile. */
export function createControls(
  state: FakeState,
  parts: { updates: UpdateQueue; polling: { isPolled: boolean }; delivery: WebhookDelivery },
): { updates: Updates; webhook: Webhook; profile: Profile } {
  const { delivery, polling, updates } = parts;
  return {
    updates: {
      get pendingCount() {
        return updates.pending.length;
      },
      all: updates.all,
      deliverAgain(id = updates.all.at(-1)?.update_id) {
        const update = updates.all.find((one) => one.update_id === id);
        if (!update) throw new Error("There is no such update.");
        updates.repeat({ ...update });
      },
      deliver(update) {
        const [[kind, value] = []] = Object.entries(update);
        const id = kind === undefined ? undefined : updates.push(kind, asObject(value) ?? {});
        if (id === undefined) throw new Error("The bot does not request such updates.");
        return id;
      },
      deliverRaw: updates.pushRaw,
      ready: () =>
        state.waitUntil(() => polling.isPolled || delivery.hook !== undefined, "a poll of the bot"),
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
      post({ secret, url = delivery.hook?.url }) {
        if (url === undefined) throw new Error("No webhook is set.");
        return delivery.post(url, secret, { update_id: 1, ...updates.all.at(-1) });
      },
    },
    profile: {
      name: (language = "") => state.profile.get(`name/${language}`),
    },
  };
}
