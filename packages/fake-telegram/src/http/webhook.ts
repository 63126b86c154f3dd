import type { Json } from "@koma/fake-chat";
import type { Update } from "grammy/types";
import { isLocal } from "../rules/address-rules.ts";
import type { FakeState } from "../state/fake-state.ts";
import type { UpdateQueue } from "../state/updates.ts";

/** The settings of a webhook. */
export type SetWebhook = { url: string; secret: string | undefined; connections: number };

/** The delay before a failed delivery is repeated, multiplied by the number of attempts. */
const retryMs = 100;

/** Delivers updates to the webhook, several concurrently, each until it is accepted. */
export function createWebhook(state: FakeState, updates: UpdateQueue, write: (update: Json) => unknown) {
  let hook: SetWebhook | undefined;
  const statuses: number[] = [];
  const busy = new Set<Update>();
  const attempts = new Map<Update, number>();
  const timers = new Set<NodeJS.Timeout>();

  const post = async (url: string, secret: string | undefined, update: Json): Promise<number> => {
    // Only a webhook on this machine is called, because tests must not use the network.
    if (!isLocal(new URL(url).hostname)) throw new Error("Failed to resolve host");
    const headers = {
      "content-type": "application/json",
      ...(secret === undefined ? {} : { "x-telegram-bot-api-secret-token": secret }),
    };
    const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(write(update)) });
    await response.arrayBuffer();
    return response.status;
  };

  const deliver = async (update: Update): Promise<void> => {
    const target = hook;
    if (!target) return;
    busy.add(update);
    const status = await post(target.url, target.secret, { ...update }).catch(() => 0);
    busy.delete(update);
    statuses.push(status);
    if (status >= 200 && status < 300) updates.confirm(update);
    else postpone(update);
    deliverAll();
  };

  const postpone = (update: Update) => {
    const count = (attempts.get(update) ?? 0) + 1;
    attempts.set(update, count);
    busy.add(update);
    const timer = setTimeout(() => {
      timers.delete(timer);
      busy.delete(update);
      deliverAll();
    }, retryMs * count);
    timers.add(timer);
  };

  const deliverAll = () => {
    state.announce();
    if (!hook) return;
    const free = updates.pending.filter((update) => !busy.has(update));
    for (const update of free.slice(0, Math.max(0, hook.connections - busy.size))) void deliver(update);
  };

  const stop = updates.listen(deliverAll);

  return {
    get hook() {
      return hook;
    },
    statuses,
    set(next: SetWebhook | undefined) {
      hook = next;
      deliverAll();
    },
    post,
    close() {
      hook = undefined;
      stop();
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

/** See `createWebhook`. */
export type WebhookDelivery = ReturnType<typeof createWebhook>;
