import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openBotStore } from "@koma/database/bots";
import { createTestDatabase } from "@koma/database/testing/databases";
import { findFfmpeg } from "@koma/media";
import { inject } from "vitest";
import { type BotCore, openBotCore } from "../../src/index.ts";
import { openApi } from "./open-api.ts";
import { type FakePlatform, type OpenBot, openHere } from "./open-here.ts";
import { type Running, start } from "./run.ts";
import type { VideoName } from "./videos.ts";

/** The differences of a test's environment from the default. */
export type TestEnvOptions = {
  /** Variables of the bot's process. */
  bot?: Record<string, string>;
};

/** The bot of a test environment, and its fake platform. */
export type TestEnvBot<Fake> = {
  platform: BotCore["platform"];
  fake: Fake;
  /** Opens the bot in this process. */
  openBot: OpenBot;
  /** The entry file of the bot's process. */
  main: string;
  environment: Record<string, string>;
  /** The bot's process prints it when the bot is connected. */
  greeting: RegExp;
  /** Resolves when the connected bot receives events. */
  served(): Promise<unknown>;
};

/**
 * Opens a test environment: a fake of the platform, the API of this run, and a database for bots. The test starts
 * the real bot, in this process or as processes.
 */
export async function openBotTestEnv<Fake extends FakePlatform>(
  { platform, fake, openBot, main, environment: ownEnvironment, greeting, served }: TestEnvBot<Fake>,
  options: TestEnvOptions = {},
) {
  const closing = new AsyncDisposableStack();
  closing.defer(async () => void (await fake.close()));
  const dataDir = await mkdtemp(join(tmpdir(), "koma-evening-"));
  closing.defer(() => rm(dataDir, { recursive: true, force: true }));
  const { url: databaseUrl, remove } = await createTestDatabase();
  closing.defer(remove);
  const api = await openApi();
  closing.defer(api.stop);
  // The identities of its people are those of one vault.
  const vaultKeys = [new Uint8Array(randomBytes(32))];
  const printed: string[] = [];
  const bots = new Set<Running>();
  let opened: { lines: readonly string[]; close(): Promise<void> } | undefined;

  const testEnv = {
    fake,
    api,
    /** The environment of a bot's process. */
    environment: {
      ...ownEnvironment,
      KOMA_DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      KOMA_API_URL: api.url,
      KOMA_BOT_KEY: api.botKey,
      KOMA_SECRET: "the secret of the tests of the bots",
      LOG_LEVEL: "debug",
      ...options.bot,
    },
    /** Opens the bot in this process; the end of the environment closes it. */
    async openBot(): Promise<void> {
      const store = await openBotStore({ dataDir, databaseUrl });
      const mediaTools = await findFfmpeg();
      const { bot, lines } = await openHere(platform, fake, openBot, {
        apiUrl: api.url,
        openCore: (hooks, log) =>
          openBotCore({
            ...{ platform, apiUrl: api.url, botKey: api.botKey, store, mediaTools, vaultKeys, ...hooks },
            onLog: (level, message) => log[level](message),
          }),
      });
      const close = async () => {
        await bot.close(12_000);
        await store.close();
      };
      opened = { lines, close };
      await served();
    },
    /** Closes it, as the end of its process does. */
    async closeBot(): Promise<void> {
      await opened?.close();
      printed.push(...(opened?.lines ?? []));
      opened = undefined;
    },
    /** Starts the bot as a process. */
    async startBot(environment: Record<string, string> = {}): Promise<Running> {
      const bot = start([main], { ...testEnv.environment, ...environment });
      bots.add(bot);
      await bot.printed(greeting);
      await served();
      return bot;
    },
    /** Stops a process of the bot, by default the last one. */
    async stopBot(signal: NodeJS.Signals = "SIGTERM", bot = [...bots].at(-1)) {
      const end = await bot?.stop(signal);
      printed.push(`${end?.stdout}${end?.stderr}`);
      if (bot !== undefined) bots.delete(bot);
      return end;
    },
    /** All output of the bot so far. */
    log: () =>
      [
        ...printed,
        ...[...bots].map(({ output }) => output.stdout + output.stderr),
        ...(opened?.lines ?? []),
      ].join("\n"),
    async close(): Promise<void> {
      await testEnv.closeBot();
      for (const bot of bots) await bot.stop();
      await closing.disposeAsync();
    },
  };
  return testEnv;
}

/** Reads a frame of one of the videos. */
export async function readFrame(video: VideoName, atSeconds: number): Promise<Uint8Array> {
  return new Uint8Array(await readFile(join(inject("imageDir"), `${video} ${atSeconds}.jpg`)));
}
