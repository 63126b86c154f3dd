import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { createSandbox, removePrepared } from "./sandbox.ts";

let sandbox: Awaited<ReturnType<typeof createSandbox>>;
beforeEach(async () => {
  sandbox = await createSandbox();
});
afterEach(() => sandbox.remove());
afterAll(removePrepared);

const token = { DISCORD_TOKEN: "a.b.c" };
const telegram = { TELEGRAM_TOKEN: "123456:abc" };
const botCalls = async () => (await sandbox.calls()).filter((call) => call.startsWith("bot "));
const killApi = async (signal: NodeJS.Signals) =>
  process.kill(Number(await sandbox.read("hanging.pid")), signal);

describe("npm start with tokens", () => {
  test("starts the bots after the API is ready, and ends all", async () => {
    const start = sandbox.start([], { PORT: "0", ...token, ...telegram });
    const [, address] = await start.printed(/^ready on (http:\/\/127\.0\.0\.1:\d+)$/m);
    await Promise.all([start.printed(/^ready on Discord$/m), start.printed(/^ready on Telegram$/m)]);
    start.child.kill("SIGTERM");
    expect((await start.ended).code).toBe(0);
    const twice = (call: string) => [call, call];
    expect(await botCalls()).toEqual([...twice(`bot started ${address}`), ...twice("bot ended by SIGTERM")]);
    const calls = await sandbox.calls();
    expect(calls).toContain("api ended by SIGTERM");
    const ensured = calls.indexOf("koma bot key ensure");
    expect(ensured).toBeGreaterThan(calls.indexOf("api started"));
    expect(ensured).toBeLessThan(calls.findIndex((call) => call.startsWith("bot started")));
  });

  test("starts no bot without its API key, and the API goes on", async () => {
    const start = sandbox.start([], { PORT: "0", FAKE_KOMA_EXIT: "1", ...token });
    const [, address = ""] = await start.printed(/^ready on (http:\S+)$/m);
    await start.printed(/The Discord bot is not started, because its API key could not be created\./);
    expect((await fetch(address)).status).toBe(200);
    expect(await botCalls()).toEqual([]);
    start.child.kill("SIGTERM");
    expect((await start.ended).code).toBe(0);
  });

  test("restarts a bot that ended, not one with a configuration error, while the API continues", async () => {
    const start = sandbox.start([], { PORT: "0", FAKE_BOT_EXITS: "1,78", ...token });
    const [, address = ""] = await start.printed(/^ready on (http:\S+)$/m);
    await start.printed(/The Discord bot ended \(code 1\) and restarts in 1 s\./);
    await start.printed(/The Discord bot is not restarted because of the configuration error/);
    expect((await fetch(address)).status).toBe(200);
    start.child.kill("SIGINT");
    expect((await start.ended).code).toBe(0);
    expect((await botCalls()).length).toBe(2);
  });

  test("the bot continues when the API is killed, and ends with the API", async () => {
    const start = sandbox.start([], { PORT: "0", ...token });
    await start.printed(/^ready on Discord$/m);
    await killApi("SIGKILL");
    await start.printed(/ready on http[\s\S]*ready on http/);
    expect(await botCalls()).toHaveLength(1);
    await killApi("SIGTERM");
    await start.ended;
    expect((await botCalls()).slice(1)).toEqual(["bot ended by SIGTERM"]);
  });

  test("the bot ends when the starter is killed", async () => {
    const start = sandbox.start([], { PORT: "0", ...token });
    await start.printed(/^ready on Discord$/m);
    start.child.kill("SIGKILL");
    await expect.poll(botCalls).toContain("bot ended by disconnect");
  });
});

describe("a bot alone", () => {
  test("runs until a signal, ends with 0, and reports a missing token", async () => {
    const start = sandbox.start(["--telegram"], telegram);
    await start.printed(/^ready on Telegram$/m);
    start.child.kill("SIGINT");
    expect((await start.ended).code).toBe(0);
    expect(await botCalls()).toEqual(["bot started alone", "bot ended by SIGINT"]);
    const { code, stderr } = await sandbox.start(["--telegram"], { TELEGRAM_TOKEN: " " }).ended;
    expect([code, stderr]).toEqual([78, expect.stringContaining("TELEGRAM_TOKEN is not set")]);
    expect(stderr).toContain("apps/telegram-bot/README.md");
  });

  test("gets the arguments and passes its exit code on", async () => {
    const start = sandbox.start(["--discord", "register"], { FAKE_BOT_EXITS: "3" });
    expect((await start.ended).code).toBe(3);
    expect(await botCalls()).toEqual(["bot started alone register"]);
  });
});
