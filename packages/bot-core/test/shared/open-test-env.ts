import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { dayAtNoon } from "@koma/testing";
import { inject } from "vitest";
import { type Running, start } from "./run.ts";
import type { VideoName } from "./videos.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A data folder with an indexed library and the bots' key. Tests copy it and never open it. */
    template: string;
    /** Frames of the videos: `alpha 2.jpg`. */
    imageDir: string;
  }
}

const apiMain = fileURLToPath(new URL("../../../../apps/api/src/main.ts", import.meta.url));
const koma = fileURLToPath(new URL("../../../../apps/cli/src/koma.ts", import.meta.url));

/** The differences of a test's environment from the default. */
export type TestEnvOptions = {
  api?: Record<string, string>;
  bot?: Record<string, string>;
  /** False: the test starts the bot itself. */
  startsBot?: boolean;
};

/** The bot of a test environment, and its fake platform. */
export type TestEnvBot<Fake> = {
  fake: Fake;
  /** The entry file of the bot's process. */
  main: string;
  environment: Record<string, string>;
  /** Resolves when the started bot is ready. */
  served(bot: Running): Promise<unknown>;
};

/**
 * Opens a test environment: a fake of the platform, and the real API and the real bot as processes, on a copy
 * of the library.
 */
export async function openBotTestEnv<Fake extends { close(): Promise<unknown> }>(
  { fake, main, environment: ownEnvironment, served }: TestEnvBot<Fake>,
  options: TestEnvOptions,
) {
  const folder = await mkdtemp(join(tmpdir(), "koma-evening-"));
  const dataDir = join(folder, "data");
  await cp(inject("template"), dataDir, { recursive: true });
  const common = { KOMA_DATA_DIR: dataDir, KOMA_SAMPLE_LIBRARY: "false", KOMA_ENGINE_WORKERS: "1" };
  const zone = { KOMA_TIME_ZONE: dayAtNoon().zone };
  let api: Running | undefined;
  let bot: Running | undefined;
  let apiUrl = "";
  const printed: string[] = [];

  const testEnv = {
    fake,
    dataDir,
    /** The address of the API, which a restart does not change. */
    apiUrl: () => apiUrl,
    async startApi(): Promise<void> {
      const port = apiUrl === "" ? "0" : new URL(apiUrl).port;
      const limits = { KOMA_REQUESTS_PER_MINUTE: "1000000", KOMA_SIGN_UPS_PER_HOUR: "1000" };
      const started = start([apiMain], {
        ...common,
        ...limits,
        ...zone,
        PORT: port,
        LOG_LEVEL: "warn",
        ...options.api,
      });
      api = started;
      apiUrl = (await started.printed(/^ready on (\S+)$/m))[1] ?? "";
    },
    async stopApi(): Promise<void> {
      await api?.stop();
      api = undefined;
    },
    async startBot(environment: Record<string, string> = {}): Promise<Running> {
      const started = start([main], {
        ...common,
        ...ownEnvironment,
        KOMA_API_URL: apiUrl,
        LOG_LEVEL: "debug",
        ...options.bot,
        ...environment,
      });
      bot = started;
      await served(started);
      return started;
    },
    async stopBot(signal: NodeJS.Signals = "SIGTERM") {
      const end = await bot?.stop(signal);
      printed.push(`${end?.stdout}${end?.stderr}`);
      bot = undefined;
      return end;
    },
    /** All output of the bot so far. */
    log: () => [...printed, bot?.output.stdout ?? "", bot?.output.stderr ?? ""].join(""),
    /** Runs a command of the CLI on the same data. */
    async koma(...args: string[]) {
      const { code, stdout, stderr } = await start([koma, ...args], common).ended;
      if (code !== 0) throw new Error(`koma ${args.join(" ")}: ${stdout}${stderr}`);
      return stdout;
    },
    botKey: async () => (await readFile(join(dataDir, "bot-key"), "utf8")).trim(),
    async close(): Promise<void> {
      await testEnv.stopBot();
      await testEnv.stopApi();
      await fake.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 300 });
    },
  };
  try {
    await testEnv.startApi();
    if (options.startsBot !== false) await testEnv.startBot();
  } catch (error) {
    await testEnv.close();
    throw error;
  }
  return testEnv;
}

/** Reads a frame of one of the videos. */
export async function readFrame(video: VideoName, atSeconds: number): Promise<Uint8Array> {
  return new Uint8Array(await readFile(join(inject("imageDir"), `${video} ${atSeconds}.jpg`)));
}
