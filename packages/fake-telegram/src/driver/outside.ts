import { asObject } from "@koma/fake-chat";
import type { BotCommand } from "grammy/types";
import type { WebhookDelivery } from "../http/webhook.ts";
import type { FakeState } from "../state/fake-state.ts";
import type { UpdateQueue } from "../state/updates.ts";
import type { Profile, Updates, Webhook } from "../types.ts";

/** Telegram's side for tests: updates, the webhook, the bot's profile. */
export function createOutside(
  state: FakeState,
  parts: {
    updates: UpdateQueue;
    polling: { pollCount: number; isPolled: boolean };
    webhook: WebhookDelivery;
  },
) {
  const { updates, polling, webhook } = parts;

  const control: Updates = {
    get pendingCount() {
      return updates.pending.length;
    },
    all: updates.all,
    get pollCount() {
      return polling.pollCount;
    },
    deliverAgain(updateId) {
      const update =
        updateId === undefined ? updates.all.at(-1) : updates.all.find((one) => one.update_id === updateId);
      if (!update) throw new Error("There is no such update.");
      updates.repeat({ ...update });
    },
    deliver(update) {
      const [entry] = Object.entries(update);
      const value = asObject(entry?.[1]);
      const id = entry && value && updates.push(entry[0], value);
      if (id === undefined) throw new Error("The bot does not request such updates.");
      return id;
    },
    deliverRaw: (update) => updates.pushRaw(update),
    async ready() {
      await state.waitFor(
        () => polling.isPolled || webhook.hook !== undefined || undefined,
        () => "a poll of the bot",
      );
    },
    async settled(quietMs = 200) {
      await state.waitFor(
        () => {
          const isQuiet = state.underWay === 0 && Date.now() - state.lastCallAt >= quietMs;
          return (isQuiet && updates.pending.length === 0) || undefined;
        },
        () => `idle state: ${updates.pending.length} updates wait, ${state.underWay} calls are in progress`,
      );
    },
  };

  const hook: Webhook = {
    get url() {
      return webhook.hook?.url ?? "";
    },
    get secret() {
      return webhook.hook?.secret;
    },
    statuses: webhook.statuses,
    post({ secret, update, url }) {
      const target = url ?? webhook.hook?.url;
      if (target === undefined) throw new Error("No webhook is set.");
      return webhook.post(target, secret, { update_id: 1, ...(update ?? updates.all.at(-1)) });
    },
  };

  const text =
    (field: string) =>
    (language = "") =>
      state.profile.get(`${field}/${language}`);
  const profile: Profile = {
    commands: (scope = "default", language = "") =>
      (state.commands.get(`${scope}/${language}`) ?? []) as unknown as readonly BotCommand[],
    get commandScopes() {
      return [...state.commands.keys()];
    },
    name: text("name"),
    description: text("description"),
    shortDescription: text("short_description"),
  };

  return {
    updates: control,
    webhook: hook,
    profile,
    waitUntil: state.waitUntil,
  };
}
