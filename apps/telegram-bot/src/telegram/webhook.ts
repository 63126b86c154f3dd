import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { withoutNulls } from "@koma/bot-core";
import type { Api } from "grammy";
import type { Update } from "grammy/types";
import { allowedUpdates } from "../handlers/is-relevant.ts";
import type { AcceptedUpdate } from "../handlers/updates.ts";
import type { Arrival } from "./polling.ts";

/** The address of the webhook, and where this process listens for it. */
export type WebhookSettings = { url: string; port: number; host: string; secret: string };

const headerName = "x-telegram-bot-api-secret-token";
const bodyLimit = 1024 * 1024;

/** The default secret, derived from the token. */
export function deriveSecret(token: string): string {
  return createHmac("sha256", token).update("koma:telegram-webhook").digest("base64url");
}

/**
 * Serves the webhook at the path of its address for requests with the secret. It responds after the update is
 * stored, so Telegram repeats the delivery otherwise.
 */
export async function startWebhook(options: {
  api: Api;
  settings: WebhookSettings;
  take: (update: Update) => AcceptedUpdate;
}): Promise<Arrival & { port: number }> {
  const { api, settings, take } = options;
  const { pathname } = new URL(settings.url);
  const server = createServer(async (request, response) => {
    const status = await receive(request).catch(() => 400);
    response.writeHead(status, status === 200 ? {} : { connection: "close" }).end();
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(settings.port, settings.host, resolve);
  });
  const address = server.address();
  // Several processes set the same webhook. None deletes it at its end, because the others still serve it.
  await api.setWebhook(settings.url, {
    secret_token: settings.secret,
    allowed_updates: [...allowedUpdates],
    max_connections: 40,
  });
  return {
    port: typeof address === "object" && address !== null ? address.port : settings.port,
    refused: new Promise(() => {}),
    isConnected: () => server.listening,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };

  async function receive(request: IncomingMessage): Promise<number> {
    const path = (request.url ?? "").split("?")[0];
    if (path !== pathname || request.method !== "POST") return 404;
    const secret = request.headers[headerName];
    if (typeof secret !== "string" || !isSame(secret, settings.secret)) return 401;
    const body = await readBody(request);
    if (body === undefined) return 413;
    const update: unknown = withoutNulls(JSON.parse(body));
    if (!isUpdate(update)) return 400;
    await take(update).noted;
    return 200;
  }
}

/** Compares in constant time. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    size += part.length;
    if (size > bodyLimit) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

function isUpdate(value: unknown): value is Update {
  return (
    typeof value === "object" &&
    value !== null &&
    "update_id" in value &&
    Number.isSafeInteger(value.update_id)
  );
}
