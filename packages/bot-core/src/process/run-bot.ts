import { ConfigurationError } from "@koma/config";
import { DatabaseUnavailableError, MigrationError } from "@koma/database";
import { type BotStore, openBotStore } from "@koma/database/bots";
import { FfmpegMissingError, FfmpegPathError, findFfmpeg } from "@koma/media";
import {
  type ExplainedError,
  endProcessAfter,
  explainError,
  MetricsPortError,
  readStack,
  watchShutdown,
} from "@koma/process";
import { createLog, type Log } from "@koma/process/log";
import { type HealthStatus, type MetricsServer, startMetricsServer } from "@koma/process/metrics";
import { type BotConfig, readBotConfig } from "../bot-config.ts";
import { createMeasures, type Measures } from "../health/measures.ts";
import type { BotCoreOptions } from "../model/bot-core.ts";
import type { Platform } from "../model/request.ts";
import { type BotCore, openBotCore } from "../open-bot-core.ts";
import { isPublicAddress } from "../replies/public-address.ts";
import { checkBotKey } from "./check-bot-key.ts";

/** The platform rejects the bot's configuration; the message describes the remedy. */
export class BotRefusedError extends Error {
  override readonly name = "BotRefusedError";
}

/** A bot that is connected to its platform. */
export type ConnectedBot = {
  /** Lines for standard output, the first in the form `ready on …`. */
  greeting: readonly string[];
  /** Resolves when the platform no longer accepts the bot. */
  refused: Promise<Error>;
  status(): HealthStatus;
  /** Accepts no new work, and completes running work within `ms`. */
  close(ms: number): Promise<void>;
};

/** The callbacks of a platform that the core uses. */
export type PlatformHooks = Pick<
  BotCoreOptions,
  "fetchImage" | "onLinkSettled" | "nameCommand" | "formatInstant" | "seesAllMessages"
>;

/** The dependencies that a platform's part receives. */
export type BotParts = {
  config: BotConfig;
  measures: Measures;
  log: Log;
  /** Aborts when the process must end. */
  signal: AbortSignal;
  openCore(hooks: PlatformHooks): Promise<BotCore>;
};

/** The time for running work to complete; afterwards the process ends in any case. */
const settleMs = 12_000;
const shutdownMs = 17_000;

/**
 * Runs a bot as this process, with messages on standard output and the log on standard error. On SIGINT,
 * SIGTERM or when its parent has ended, the process completes running work and exits with 0.
 */
export function runBotProcess(options: {
  platform: Platform;
  environment: Record<string, string | undefined>;
  open: (parts: BotParts) => Promise<ConnectedBot>;
}): void {
  const { signal, requested } = watchShutdown({
    limitMs: shutdownMs,
    reason: "The bot is shutting down.",
    onRepeat: "end",
  });
  endProcessAfter(run(options, signal, requested), explainBotError);
}

/** The text and the exit code for an error of a bot. */
export function explainBotError(error: unknown): ExplainedError {
  return explainError(error, [
    BotRefusedError,
    ConfigurationError,
    DatabaseUnavailableError,
    MetricsPortError,
    MigrationError,
  ]);
}

async function run(
  { platform, environment, open }: Parameters<typeof runBotProcess>[0],
  signal: AbortSignal,
  stopped: Promise<undefined>,
): Promise<undefined> {
  const config = await readBotConfig(platform, environment);
  const log = await createLog(platform, config.configuration.LOG_LEVEL);
  const measures = createMeasures(platform);
  let status = (): HealthStatus => ({ isHealthy: false, details: { reason: "The bot is starting." } });
  // The port is opened first: an occupied one ends the process before it waits for the API or opens the
  // database.
  const health = await openHealth(config, { measures, log, status: () => status() });
  let store: BotStore | undefined;
  try {
    await checkBotKey(config, signal);
    // An unhandled rejection in a library must not end the conversations of all users.
    process.on("unhandledRejection", (reason) =>
      log.error("unhandled rejection", { stack: readStack(reason, [config.token, config.botKey]) }),
    );
    const opened = await openBotStore({ ...config, onLog: (message) => log.info(message) });
    store = opened;
    warnOfLocalAddress(config, log);
    const mediaTools = await findTools(config, log);
    const bot = await open({
      config,
      measures,
      log,
      signal,
      async openCore(hooks) {
        const core = await openBotCore({
          platform,
          store: opened,
          mediaTools,
          ...hooks,
          apiUrl: config.apiUrl,
          botKey: config.botKey,
          vaultKeys: config.vaultKeys,
          timeZone: config.configuration.KOMA_TIME_ZONE,
          onLog: (level, message) => log[level](message),
          onMeasure: measures.take,
        });
        measures.watchQueue(core.status);
        return core;
      },
    });
    status = bot.status;
    process.stdout.write(`${bot.greeting.join("\n")}\n`);
    const refusal = await Promise.race([stopped, bot.refused]);
    await bot.close(settleMs);
    if (refusal !== undefined) throw refusal;
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await health?.close();
    await store?.close();
  }
}

async function openHealth(
  { healthPort: port, configuration: { KOMA_METRICS_HOST: host } }: BotConfig,
  { measures: { registry }, log, status }: { measures: Measures; log: Log; status: () => HealthStatus },
): Promise<MetricsServer | undefined> {
  if (port === undefined) return undefined;
  const health = await startMetricsServer({ port, host, variable: "KOMA_BOT_PORT", registry, status });
  log.info("health and metrics are served", { port: health.port });
  return health;
}

/** Links in chats use the API's base address; other people cannot open a local one. */
function warnOfLocalAddress({ apiUrl, configuration: { KOMA_BASE_URL } }: BotConfig, log: Log): void {
  const address = KOMA_BASE_URL ?? apiUrl;
  if (isPublicAddress(address)) return;
  log.warn(
    "The site has no public address: people cannot open links to it, and Telegram and Discord cannot fetch clips. Set KOMA_BASE_URL.",
    { address },
  );
}

async function findTools({ configuration: { FFMPEG_PATH, FFPROBE_PATH } }: BotConfig, log: Log) {
  try {
    return await findFfmpeg({ ffmpegPath: FFMPEG_PATH, ffprobePath: FFPROBE_PATH });
  } catch (error) {
    if (!(error instanceof FfmpegMissingError || error instanceof FfmpegPathError)) throw error;
    log.warn(`Videos are off: ${error.message}`);
    return undefined;
  }
}
