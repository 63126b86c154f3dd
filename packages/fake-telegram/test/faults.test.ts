import { createServer, type Server } from "node:http";
import { autoRetry } from "@grammyjs/auto-retry";
import { Bot, type GrammyError, HttpError, webhookCallback } from "grammy";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Fake, openFake } from "../src/index.ts";
import { startClient } from "./fixtures/start-client.ts";

let fake: Fake;
let bot: Bot;

beforeEach(async () => {
  fake = await openFake({ callbackQueryTtlMs: 300 });
  bot = new Bot(fake.token, { client: { apiRoot: fake.apiUrl } });
});
afterEach(() => fake.close());

const refusalOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

it("applies retry_after, and detects earlier calls", async () => {
  const [mina, jon] = [fake.createUser(), fake.createUser()];
  await mina.starts();
  await jon.starts();
  const fault = fake.faults.rateLimit({ method: "sendMessage", retryAfterSeconds: 1 });
  const first = await refusalOf(bot.api.sendMessage(mina.id, "one"));
  expect(first).toMatchObject({
    error_code: 429,
    description: "Too Many Requests: retry after 1",
    parameters: { retry_after: 1 },
  });
  bot.api.config.use(autoRetry());
  await bot.api.sendMessage(jon.id, "two");
  expect(fault.hits).toBe(2);
  expect(jon.direct.replies.map(({ text }) => text)).toEqual(["two"]);
  expect(fake.violations).toEqual([]);
});

it("reports calls during a 429 as violations", async () => {
  const mina = fake.createUser();
  await mina.starts();
  fake.faults.rateLimit({ method: "sendMessage", retryAfterSeconds: 600 });
  const isBlamed = async () => {
    await refusalOf(bot.api.sendMessage(mina.id, "too early"));
    return fake.violations.length > 0;
  };
  // A call that is already underway at the first 429 is none.
  expect(await isBlamed()).toBe(false);
  await expect.poll(isBlamed).toBe(true);
  expect(fake.violations).toMatchObject([{ rule: "rate-limit", where: "sendMessage" }]);
});

it("fails, delays and drops connections, before and after the effect", async () => {
  const mina = fake.createUser();
  await mina.starts();
  fake.faults.fail({ method: "sendMessage", status: 500, times: 1 });
  expect(await refusalOf(bot.api.sendMessage(mina.id, "a"))).toMatchObject({ error_code: 500 });
  fake.faults.fail({ method: "sendMessage", status: 502, times: 1 });
  expect(await refusalOf(bot.api.sendMessage(mina.id, "b"))).toBeInstanceOf(HttpError);
  fake.faults.fail({
    chat: mina.direct,
    status: 403,
    description: "Forbidden: user is deactivated",
    times: 1,
  });
  expect(await refusalOf(bot.api.sendMessage(mina.id, "c"))).toMatchObject({
    description: "Forbidden: user is deactivated",
  });
  fake.faults.hangUp({ method: /^send/, times: 1 });
  expect(await refusalOf(bot.api.sendMessage(mina.id, "d"))).toBeInstanceOf(HttpError);
  expect(mina.direct.replies).toEqual([]);
  fake.faults.hangUp({ isAfter: true, times: 1 });
  expect(await refusalOf(bot.api.sendMessage(mina.id, "e"))).toBeInstanceOf(HttpError);
  expect(mina.direct.replies.map(({ text }) => text)).toEqual(["e"]);
  const late = fake.faults.delay({ ms: 120, times: 1 });
  const start = Date.now();
  await bot.api.sendMessage(mina.id, "f");
  expect([Date.now() - start >= 110, late.hits]).toEqual([true, 1]);
  expect(fake.calls.filter(({ status }) => status === 0)).toHaveLength(2);
  expect(fake.violations).toEqual([]);
});

it("returns Telegram's errors for impossible edits", async () => {
  const mina = fake.createUser();
  const requested = await mina.starts();
  const { message_id } = await bot.api.sendMessage(mina.id, "same");
  const descriptions = await Promise.all(
    [
      bot.api.editMessageText(mina.id, message_id, "same"),
      bot.api.editMessageText(mina.id, 4711, "gone"),
      bot.api.deleteMessage(mina.id, 4711),
      bot.api.sendMessage(mina.id, "x", { reply_parameters: { message_id: 4711 } }),
    ].map(async (work) => (await refusalOf(work)) as GrammyError),
  );
  expect(descriptions.map(({ description }) => description.split(": ")[1])).toEqual([
    "message is not modified",
    "message to edit not found",
    "message to delete not found",
    "message to be replied not found",
  ]);
  mina.deletes(requested);
  await bot.api.sendMessage(mina.id, "x", {
    reply_parameters: { message_id: requested.id, allow_sending_without_reply: true },
  });
  expect(fake.violations).toEqual([]);
  expect(fake.warnings).toMatchObject([{ rule: "edit", problem: "nothing changed" }]);
});

it("expires a callback query, and deletes the message below it", async () => {
  const mina = fake.createUser();
  await mina.starts();
  const client = await startClient(fake, (one) => one.use(() => undefined));
  await bot.api.sendMessage(mina.id, "choose", {
    reply_markup: { inline_keyboard: [[{ text: "A", callback_data: "a" }]] },
  });
  const [message] = mina.direct.replies;
  if (!message) throw new Error("There is no message.");
  const click = mina.clicks(message.button("A"));
  await expect(click.response()).rejects.toThrow(/was not answered/);
  expect(await refusalOf(bot.api.answerCallbackQuery(click.id))).toMatchObject({
    description: expect.stringMatching(/query is too old/),
  });
  const button = message.button("A");
  await bot.api.deleteMessage(mina.id, message.id);
  expect(() => mina.clicks(button)).toThrow(/can no longer see/);
  mina.clicks(button, { isStale: true });
  expect(fake.updates.all.at(-1)).toMatchObject({
    callback_query: { message: { message_id: message.id, date: 0 } },
  });
  await client.close();
  expect(fake.violations).toEqual([]);
});

it("keeps unconfirmed updates, repeats confirmed ones, and lets one instance poll", async () => {
  const mina = fake.createUser();
  await mina.starts();
  const poll = async (parameters: object) => {
    const response = await fetch(`${fake.apiUrl}/bot${fake.token}/getUpdates`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(parameters),
    });
    const { result, description } = (await response.json()) as {
      result?: { update_id: number }[];
      description?: string;
    };
    return { status: response.status, ids: result?.map(({ update_id }) => update_id), description };
  };
  const [id] = (await poll({})).ids ?? [];
  if (id === undefined) throw new Error("There is no update.");
  expect((await poll({ allowed_updates: ["callback_query"] })).ids).toEqual([id]);
  expect((await poll({ offset: id + 1 })).ids).toEqual([]);
  await mina.sends(mina.direct, "not wanted now");
  expect((await poll({ offset: id + 1, allowed_updates: [] })).ids).toEqual([]);
  await mina.sends(mina.direct, "wanted again");
  expect((await poll({ offset: id + 1 })).ids).toHaveLength(1);
  fake.updates.deliverAgain(id);
  expect((await poll({ offset: id + 2 })).ids).toEqual([id]);
  const first = poll({ offset: id + 2, timeout: 30 });
  await fake.updates.ready();
  const second = poll({ offset: id + 2, timeout: 30 });
  expect(await first).toMatchObject({
    status: 409,
    description: expect.stringMatching(/^Conflict: terminated by other/),
  });
  await mina.sends(mina.direct, "hello");
  expect((await second).ids).toEqual([id + 2]);
  fake.faults.conflict();
  expect((await poll({})).status).toBe(409);
  await bot.api.setWebhook(`${fake.apiUrl}/web/none`);
  expect((await poll({})).description).toMatch(/webhook is active/);
  await bot.api.deleteWebhook({ drop_pending_updates: true });
  expect((await poll({})).ids).toEqual([]);
  expect(fake.violations).toEqual([]);
});

it("delivers to a webhook with its secret, again until accepted, and with a wrong secret", async () => {
  const mina = fake.createUser();
  const heard: string[] = [];
  bot.on("message:text", (context) => void heard.push(context.msg.text));
  await bot.init();
  const handle = webhookCallback(bot, "http", { secretToken: "right_secret" });
  let isDown = true;
  const server: Server = createServer((request, response) => {
    if (isDown) response.writeHead(503).end();
    else void handle(request, response);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  await bot.api.setWebhook(`http://127.0.0.1:${port}/hook`, {
    secret_token: "right_secret",
    max_connections: 5,
  });
  await mina.sends(mina.direct, "through the hook");
  await fake.waitUntil(() => fake.webhook.statuses.length > 0);
  expect([fake.updates.pendingCount, fake.webhook.statuses[0]]).toEqual([1, 503]);
  isDown = false;
  await fake.updates.settled();
  expect(heard).toEqual(["through the hook"]);
  expect(await fake.webhook.post({ secret: "wrong" })).toBe(401);
  expect(await fake.webhook.post({ secret: undefined })).toBe(401);
  expect(await fake.webhook.post({ secret: "right_secret" })).toBe(200);
  expect(heard).toHaveLength(2);
  await bot.api.deleteWebhook();
  server.close();
  expect(fake.violations).toEqual([]);
});

it("delivers the unconfirmed updates of a stopped client again after a restart", async () => {
  const mina = fake.createUser();
  const heard: number[] = [];
  const first = await startClient(fake, (one) =>
    one.on("message", (context) => void heard.push(context.update.update_id)),
  );
  await mina.sends(mina.direct, "one");
  await fake.waitUntil(() => heard.length === 1);
  await first.close();
  await mina.sends(mina.direct, "two, while nobody listens");
  expect(fake.updates.pendingCount).toBe(1);
  const second = await startClient(fake, (one) =>
    one.on("message", (context) => void heard.push(context.update.update_id)),
  );
  await fake.updates.settled();
  await second.close();
  expect(heard).toHaveLength(2);
  expect(fake.violations).toEqual([]);
});
