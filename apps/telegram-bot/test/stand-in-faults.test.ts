import { createServer, type Server } from "node:http";
import { autoRetry } from "@grammyjs/auto-retry";
import { Bot, type GrammyError, HttpError, webhookCallback } from "grammy";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openStandIn, type StandIn } from "./stand-in/index.ts";
import { startClient } from "./stand-in/start-client.ts";

let standIn: StandIn;
let bot: Bot;

beforeEach(async () => {
  standIn = await openStandIn({ pressLivesMs: 300 });
  bot = new Bot(standIn.token, { client: { apiRoot: standIn.apiUrl } });
});
afterEach(() => standIn.close());

const refusalOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

it("limits with retry_after, and sees who does not wait", async () => {
  const mina = standIn.createUser();
  await mina.starts();
  const fault = standIn.faults.rateLimit({ method: "sendMessage", retryAfterSeconds: 1 });
  const first = await refusalOf(bot.api.sendMessage(mina.id, "one"));
  expect(first).toMatchObject({
    error_code: 429,
    description: "Too Many Requests: retry after 1",
    parameters: { retry_after: 1 },
  });
  bot.api.config.use(autoRetry());
  await bot.api.sendMessage(mina.id, "two");
  expect(fault.hits).toBe(2);
  expect(mina.direct.answers.map(({ text }) => text)).toEqual(["two"]);
  expect(standIn.violations).toEqual([]);
});

it("holds calls during a 429 against the bot", async () => {
  const mina = standIn.createUser();
  await mina.starts();
  standIn.faults.rateLimit({ method: "sendMessage", retryAfterSeconds: 2 });
  await refusalOf(bot.api.sendMessage(mina.id, "one"));
  await new Promise((done) => setTimeout(done, 250));
  await refusalOf(bot.api.sendMessage(mina.id, "too early"));
  expect(standIn.violations).toMatchObject([{ rule: "rate-limit", where: "sendMessage" }]);
});

it("fails, delays and drops connections, before the work and after", async () => {
  const mina = standIn.createUser();
  await mina.starts();
  standIn.faults.fail({ method: "sendMessage", status: 500, times: 1 });
  expect(await refusalOf(bot.api.sendMessage(mina.id, "a"))).toMatchObject({ error_code: 500 });
  standIn.faults.fail({ method: "sendMessage", status: 502, times: 1 });
  expect(await refusalOf(bot.api.sendMessage(mina.id, "b"))).toBeInstanceOf(HttpError);
  standIn.faults.fail({
    chat: mina.direct,
    status: 403,
    description: "Forbidden: user is deactivated",
    times: 1,
  });
  expect(await refusalOf(bot.api.sendMessage(mina.id, "c"))).toMatchObject({
    description: "Forbidden: user is deactivated",
  });
  standIn.faults.hangUp({ method: /^send/, times: 1 });
  expect(await refusalOf(bot.api.sendMessage(mina.id, "d"))).toBeInstanceOf(HttpError);
  expect(mina.direct.answers).toEqual([]);
  standIn.faults.hangUp({ isAfter: true, times: 1 });
  expect(await refusalOf(bot.api.sendMessage(mina.id, "e"))).toBeInstanceOf(HttpError);
  expect(mina.direct.answers.map(({ text }) => text)).toEqual(["e"]);
  const late = standIn.faults.delay({ ms: 120, times: 1 });
  const start = Date.now();
  await bot.api.sendMessage(mina.id, "f");
  expect([Date.now() - start >= 110, late.hits]).toEqual([true, 1]);
  expect(standIn.calls.filter(({ status }) => status === 0)).toHaveLength(2);
  expect(standIn.violations).toEqual([]);
});

it("says what cannot be done to messages as Telegram does", async () => {
  const mina = standIn.createUser();
  const asked = await mina.starts();
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
  mina.deletes(asked);
  await bot.api.sendMessage(mina.id, "x", {
    reply_parameters: { message_id: asked.id, allow_sending_without_reply: true },
  });
  expect(standIn.violations).toEqual([]);
  expect(standIn.warnings).toMatchObject([{ rule: "edit", problem: "nothing changed" }]);
});

it("lets a press run out, and a message vanish under it", async () => {
  const mina = standIn.createUser();
  await mina.starts();
  const client = await startClient(standIn, (one) => one.use(() => undefined));
  await bot.api.sendMessage(mina.id, "choose", {
    reply_markup: { inline_keyboard: [[{ text: "A", callback_data: "a" }]] },
  });
  const [message] = mina.direct.answers;
  if (!message) throw new Error("There is no message.");
  const press = mina.presses(message.button("A"));
  await expect(press.answered()).rejects.toThrow(/was not answered/);
  expect(await refusalOf(bot.api.answerCallbackQuery(press.id))).toMatchObject({
    description: expect.stringMatching(/query is too old/),
  });
  const button = message.button("A");
  await bot.api.deleteMessage(mina.id, message.id);
  expect(() => mina.presses(button)).toThrow(/cannot see/);
  mina.presses(button, { isStale: true });
  expect(standIn.updates.all.at(-1)).toMatchObject({
    callback_query: { message: { message_id: message.id, date: 0 } },
  });
  await client.close();
  expect(standIn.violations).toEqual([]);
});

it("keeps what was not confirmed, repeats what was, and lets one instance poll", async () => {
  const mina = standIn.createUser();
  await mina.starts();
  const poll = async (parameters: object) => {
    const response = await fetch(`${standIn.apiUrl}/bot${standIn.token}/getUpdates`, {
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
  standIn.updates.deliverAgain(id);
  expect((await poll({ offset: id + 2 })).ids).toEqual([id]);
  const first = poll({ offset: id + 2, timeout: 30 });
  await standIn.updates.ready();
  const second = poll({ offset: id + 2, timeout: 30 });
  expect(await first).toMatchObject({
    status: 409,
    description: expect.stringMatching(/^Conflict: terminated by other/),
  });
  await mina.sends(mina.direct, "hello");
  expect((await second).ids).toEqual([id + 2]);
  standIn.faults.conflict();
  expect((await poll({})).status).toBe(409);
  await bot.api.setWebhook(`${standIn.apiUrl}/web/none`);
  expect((await poll({})).description).toMatch(/webhook is active/);
  await bot.api.deleteWebhook({ drop_pending_updates: true });
  expect((await poll({})).ids).toEqual([]);
  expect(standIn.violations).toEqual([]);
});

it("delivers to a webhook with its secret, again until it is taken, and with a wrong one", async () => {
  const mina = standIn.createUser();
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
  await standIn.waitUntil(() => standIn.webhook.statuses.length > 0);
  expect(await bot.api.getWebhookInfo()).toMatchObject({
    pending_update_count: 1,
    last_error_message: expect.stringMatching(/503/),
  });
  isDown = false;
  await standIn.updates.settled();
  expect(heard).toEqual(["through the hook"]);
  expect(await standIn.webhook.post({ secret: "wrong" })).toBe(401);
  expect(await standIn.webhook.post({ secret: undefined })).toBe(401);
  expect(await standIn.webhook.post({ secret: "right_secret" })).toBe(200);
  expect(heard).toHaveLength(2);
  await bot.api.deleteWebhook();
  server.close();
  expect(standIn.violations).toEqual([]);
});

it("restarts in the middle: what a stopped client did not confirm comes again", async () => {
  const mina = standIn.createUser();
  const heard: number[] = [];
  const first = await startClient(standIn, (one) =>
    one.on("message", (context) => void heard.push(context.update.update_id)),
  );
  await mina.sends(mina.direct, "one");
  await standIn.waitUntil(() => heard.length === 1);
  await first.close();
  await mina.sends(mina.direct, "two, while nobody listens");
  expect(standIn.updates.pendingCount).toBe(1);
  const second = await startClient(standIn, (one) =>
    one.on("message", (context) => void heard.push(context.update.update_id)),
  );
  await standIn.updates.settled();
  await second.close();
  expect(heard).toHaveLength(2);
  expect(standIn.violations).toEqual([]);
});
