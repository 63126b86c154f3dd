import { createMeasures, type HealthServer, openBotCore, startHealthServer } from "@koma/bot-core";
import { ConfigurationError } from "@koma/contract/configuration";
import { DatabaseUnavailableError, MigrationError } from "@koma/database";
import { openBotStore } from "@koma/database/bots";
import { FfmpegMissingError, findFfmpeg } from "@koma/media";
import { REST } from "discord.js";
import { defineCommands, nameCommand } from "./commands/define-commands.ts";
import { readConfig } from "./config.ts";
import { createDiscordApi } from "./discord/discord-api.ts";
import { GatewayRefusedError } from "./discord/gateway.ts";
import { createLog, type Log } from "./log.ts";
import { discordApiUrl, openBot } from "./open-bot.ts";

/** What runs gets this long to finish; then the process ends all the same. */
const settleMs = 12_000;
const shutdownMs = 17_000;
/** As sysexits.h has it: the configuration must change, so starting again does not help. */
const configurationExitCode = 78;

/**
 * The Discord bot as a process: `ready on Discord …` and the invite link on standard output, the log on standard error. Ends
 * on SIGINT, SIGTERM or when its parent is gone, with 0 after what ran is finished. With `register` it only registers the
 * commands.
 */
async function main(args: readonly string[]): Promise<number> {
  const [command] = args;
  if (command !== undefined && command !== "register") {
    process.stderr.write(`Unknown argument ${command}: there is \`register\`, or none to run the bot.\n`);
    return 2;
  }
  const stopping = new AbortController();
  const stopped = new Promise<void>((resolve) => {
    const stop = () => {
      setTimeout(() => process.exit(1), shutdownMs).unref();
      stopping.abort(new Error("The bot is being ended."));
      resolve();
    };
    for (const name of ["SIGINT", "SIGTERM", "disconnect"]) process.once(name, stop);
  });
  return await (command === "register" ? register() : run(stopping.signal, stopped));
}

async function run(signal: AbortSignal, stopped: Promise<void>): Promise<number> {
  const config = await readConfig();
  const log = createLog(config.logLevel);
  const measures = createMeasures("discord");
  // Whatever a library throws where nobody listens must not end the conversations of everybody.
  process.on("unhandledRejection", (reason) => log.error("unhandled rejection", { reason: nameOf(reason) }));
  const store = await openBotStore({ ...config, onNotice: (message) => log.info(message) });
  let health: HealthServer | undefined;
  try {
    const mediaTools = await findTools(config, log);
    const bot = await openBot({
      ...{ config, measures, log, signal },
      openCore: (hooks) =>
        openBotCore({
          ...{ platform: "discord", store, mediaTools, nameCommand, ...hooks },
          ...{ apiUrl: config.apiUrl, botKey: config.botKey, vaultKeys: config.vaultKeys },
          timeZone: config.timeZone,
          onNotice: (level, message) => log[level](message),
          onMeasure: measures.take,
        }),
    });
    if (config.healthPort !== undefined) {
      health = await startHealthServer({ port: config.healthPort, measures, look: bot.look });
      log.info("health and metrics are served", { port: health.port });
    }
    process.stdout.write(`ready on Discord\nInvite the bot: ${bot.inviteLink}\n`);
    const refusal = await Promise.race([stopped, bot.refused]);
    await bot.close(settleMs);
    if (refusal !== undefined) throw refusal;
    return 0;
  } catch (error) {
    if (signal.aborted) return 0;
    throw error;
  } finally {
    await health?.close();
    await store.close();
  }
}

async function register(): Promise<number> {
  const config = await readConfig();
  const rest = new REST({ version: "10", api: config.platformUrl ?? discordApiUrl }).setToken(config.token);
  const api = createDiscordApi(rest);
  const { id } = await api.getApplication();
  await api.registerCommands(id, defineCommands());
  process.stdout.write("The commands are registered.\n");
  return 0;
}

async function findTools(
  config: { ffmpegPath?: string | undefined; ffprobePath?: string | undefined },
  log: Log,
) {
  try {
    return await findFfmpeg({ ffmpegPath: config.ffmpegPath, ffprobePath: config.ffprobePath });
  } catch (error) {
    if (!(error instanceof FfmpegMissingError)) throw error;
    log.warn(`Films are not read: ${error.message}`);
    return undefined;
  }
}

function explain(error: unknown): { text: string; exitCode: number } {
  if (error instanceof GatewayRefusedError) {
    return { text: explainRefusal(error), exitCode: configurationExitCode };
  }
  if (error instanceof ConfigurationError || error instanceof MigrationError) {
    return { text: error.message, exitCode: configurationExitCode };
  }
  if (error instanceof DatabaseUnavailableError) return { text: error.message, exitCode: 1 };
  return { text: error instanceof Error ? (error.stack ?? error.message) : String(error), exitCode: 1 };
}

function explainRefusal(error: GatewayRefusedError): string {
  if (error.code !== 4004) return error.message;
  return "Discord does not know this token: take the bot's token from the developer portal (Bot, Reset Token) into DISCORD_TOKEN.";
}

function nameOf(reason: unknown): string {
  return reason instanceof Error ? reason.name : "unknown";
}

main(process.argv.slice(2)).then(
  (exitCode) => process.exit(exitCode),
  (error: unknown) => {
    const { text, exitCode } = explain(error);
    process.stderr.write(`${text}\n`, () => process.exit(exitCode));
  },
);
