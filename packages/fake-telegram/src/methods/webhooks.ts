import { asText } from "@koma/fake-chat";
import type { Handlers } from "../http/call.ts";
import { readAllowed } from "../http/polling.ts";
import type { WebhookDelivery } from "../http/webhook.ts";
import { isLocal } from "../rules/address-rules.ts";
import type { UpdateQueue } from "../state/updates.ts";

/** The methods that choose between polling and a webhook. */
export function createWebhooks(updates: UpdateQueue, delivery: WebhookDelivery): Handlers {
  const end = () => {
    delivery.set(undefined);
    return true;
  };

  return {
    setWebhook(call) {
      const { url, secret_token, allowed_updates } = call.parameters;
      const address = asText(url) ?? "";
      if (address === "") return end();
      const target = URL.canParse(address) ? new URL(address) : undefined;
      // Tests listen on this machine without a certificate; for other hosts Telegram requires HTTPS.
      if (!target || (target.protocol !== "https:" && !isLocal(target.hostname)))
        return call.reject.refuse("webhook", `"${address}" is no HTTPS address`);
      if (target.protocol === "https:" && !["", "443", "80", "88", "8443"].includes(target.port))
        call.reject.refuse("webhook", `port ${target.port} is not allowed`);
      readAllowed(call.reject, updates, allowed_updates);
      delivery.set({ url: address, secret: asText(secret_token) });
      return true;
    },

    deleteWebhook: end,
  };
}
