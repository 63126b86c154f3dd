import { setTimeout } from "node:timers/promises";
import type { Json } from "@koma/fake-chat";
import type { Update } from "grammy/types";
import { isLocal } from "../rules/address-rules.ts";
import type { FakeState } from "../state/fake-state.ts";
import type { UpdateQueue } from "../state/updates.ts";

/** The settings of a webhook. */
export type SetWebhook = { url: string; secret: string | undefined };

/** The delay before a failed delivery is repeated. */
const retryMs = 100;

/** Delivers updates to the webhook, each until it is accepted. */
export function createWebhook(state: FakeState, updates: UpdateQueue, write: (update: Json) => unknown) {
  let hook: SetWebhook | undefined;
  const busy = new Set<Update>();

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
    busy.add(update);
    while (hook) {
      const status = await post(hook.url, hook.secret, { ...update }).catch(() => 0);
      if (status >= 200 && status < 300) {
        updates.confirm(update);
        break;
      }
      await setTimeout(retryMs);
    }
    busy.delete(update);
    state.announce();
  };

  const deliverAll = () => {
    state.announce();
    if (hook) for (const update of updates.pending) if (!busy.has(update)) void deliver(update);
  };

  updates.arrivals.on("update", deliverAll);

  return {
    get hook() {
      return hook;
    },
    set(next: SetWebhook | undefined) {
      hook = next;
      deliverAll();
    },
    post,
    close() {
      hook = undefined;
    },
  };
}

/** See `createWebhook`. */
export type WebhookDelivery = ReturnType<typeof createWebhook>;
