import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createSandbox } from "./sandbox.ts";

let sandbox: Awaited<ReturnType<typeof createSandbox>>;
beforeEach(async () => {
  sandbox = await createSandbox();
});
afterEach(() => sandbox.remove());

const token = { DISCORD_TOKEN: "a.b.c" };
const botCalls = async () => (await sandbox.calls()).filter((call) => call.startsWith("bot "));

describe("npm start with DISCORD_TOKEN", () => {
  test("starts the bot after the API is ready, and ends both", async () => {
    const start = sandbox.start([], { PORT: "0", ...token });
    const [, address] = await start.printed(/^ready on (http:\/\/127\.0\.0\.1:\d+)$/m);
    await start.printed(/^ready on Discord$/m);
    start.child.kill("SIGTERM");
    expect((await start.ended).code).toBe(0);
    expect(await botCalls()).toEqual([`bot started ${address}`, "bot ended by SIGTERM"]);
    expect(await sandbox.calls()).toContain("api ended by SIGTERM");
    const calls = await sandbox.calls();
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

  test("starts no bot without its token", async () => {
    const start = sandbox.start([], { PORT: "0", DISCORD_TOKEN: " " });
    await start.printed(/Ctrl-C/);
    start.child.kill("SIGTERM");
    expect((await start.ended).code).toBe(0);
    expect(await botCalls()).toEqual([]);
  });

  test("restarts a bot that ended, while the API continues", async () => {
    const start = sandbox.start([], { PORT: "0", FAKE_BOT_EXIT: "1", ...token });
    const [, address = ""] = await start.printed(/^ready on (http:\S+)$/m);
    await start.printed(/The Discord bot ended \(code 1\) and restarts in 2 s\./);
    expect((await botCalls()).length).toBe(2);
    expect((await fetch(address)).status).toBe(200);
    start.child.kill("SIGINT");
    expect((await start.ended).code).toBe(0);
  });

  test("does not restart a bot with a configuration error", async () => {
    const start = sandbox.start([], { PORT: "0", FAKE_BOT_EXIT: "78", ...token });
    await start.printed(/The Discord bot is not restarted because of the configuration error/);
    start.child.kill("SIGINT");
    expect((await start.ended).code).toBe(0);
    expect((await botCalls()).length).toBe(1);
  });

  test("the bot continues when the API is killed", async () => {
    const start = sandbox.start([], { PORT: "0", ...token });
    await start.printed(/^ready on Discord$/m);
    process.kill(Number(await sandbox.read("hanging.pid")), "SIGKILL");
    await start.printed(/ready on http[\s\S]*ready on http/);
    expect(await botCalls()).toHaveLength(1);
    start.child.kill("SIGTERM");
    await start.ended;
  });

  test("the bot ends with the API, and when the starter is killed", async () => {
    for (const victim of ["api", "starter"]) {
      const start = sandbox.start([], { PORT: "0", ...token });
      await start.printed(/^ready on Discord$/m);
      if (victim === "starter") start.child.kill("SIGKILL");
      else process.kill(Number(await sandbox.read("hanging.pid")), "SIGTERM");
      await start.ended;
      const end = victim === "starter" ? "bot ended by disconnect" : "bot ended by SIGTERM";
      await expect.poll(botCalls).toContain(end);
    }
  });
});

describe("npm run discord", () => {
  test("runs the bot alone and ends it with 0", async () => {
    const start = sandbox.start(["--discord"], token);
    await start.printed(/^ready on Discord$/m);
    start.child.kill("SIGINT");
    expect((await start.ended).code).toBe(0);
    expect(await botCalls()).toEqual(["bot started alone", "bot ended by SIGINT"]);
  });

  test("passes the arguments and the exit code", async () => {
    const start = sandbox.start(["--discord", "register"], { FAKE_BOT_EXIT: "3" });
    expect((await start.ended).code).toBe(3);
    expect(await botCalls()).toEqual(["bot started alone register"]);
  });

  test("reports a missing token", async () => {
    const { code, stderr } = await sandbox.start(["--discord"]).ended;
    expect([code, stderr]).toEqual([1, expect.stringContaining("DISCORD_TOKEN is not set")]);
  });
});

describe("the Telegram bot", () => {
  const telegram = { TELEGRAM_TOKEN: "123456:abc" };

  test("npm start runs both bots if both tokens are set", async () => {
    const start = sandbox.start([], { PORT: "0", ...token, ...telegram });
    await Promise.all([start.printed(/^ready on Discord$/m), start.printed(/^ready on Telegram$/m)]);
    start.child.kill("SIGTERM");
    expect((await start.ended).code).toBe(0);
    expect((await botCalls()).filter((call) => call.includes("ended"))).toHaveLength(2);
  });

  test("npm run telegram runs the bot alone, and reports a missing token", async () => {
    const start = sandbox.start(["--telegram"], telegram);
    await start.printed(/^ready on Telegram$/m);
    start.child.kill("SIGINT");
    expect((await start.ended).code).toBe(0);
    const { code, stderr } = await sandbox.start(["--telegram"]).ended;
    expect([code, stderr]).toEqual([1, expect.stringContaining("TELEGRAM_TOKEN is not set")]);
    expect(stderr).toContain("apps/telegram-bot/README.md");
  });
});
