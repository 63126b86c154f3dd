import { existsSync } from "node:fs";
import { programFile } from "./programs.mjs";
import { spawnGroup, waitForGroup } from "./run-child.mjs";
import { configurationExitCode, runSupervised } from "./run-supervised.mjs";
import { StarterError } from "./starter-error.mjs";

/** The bots, each with the variable of its token. */
/** @satisfies {Record<string, { title: string, token: string, main: Parameters<typeof programFile>[0], readme: string }>} */
const bots = /** @type {const} */ ({
  discord: {
    title: "Discord bot",
    token: "DISCORD_TOKEN",
    main: "@koma/discord-bot/main",
    readme: "apps/discord-bot",
  },
  telegram: {
    title: "Telegram bot",
    token: "TELEGRAM_TOKEN",
    main: "@koma/telegram-bot/main",
    readme: "apps/telegram-bot",
  },
});

/** @typedef {(typeof bots)[keyof typeof bots]} Bot */

/**
 * Runs every bot whose token is set beside an API at `address`, and restarts a bot that ended after a pause.
 * A bot that fails does not affect the API. Resolves when the interruption has ended all bots.
 * @param {{ root: string, env: import("./types.d.ts").Environment, interruption: import("./types.d.ts").Interruption, address: string }} options
 */
export async function superviseBots({ root, env, interruption, address }) {
  const chosen = Object.values(bots).filter(({ token }) => process.env[token]?.trim());
  if (chosen.length > 0 && !(await ensureBotKey({ root, env, interruption }))) {
    for (const bot of chosen) log(bot, "is not started, because its API key could not be created.");
    return;
  }
  await Promise.all(
    chosen.map(async (bot) => {
      try {
        await superviseBot({ root, env, interruption, address, bot });
      } catch (error) {
        if (interruption.signal.aborted) return;
        log(bot, `cannot be started: ${error instanceof Error ? error.message : String(error)}`);
      }
    }),
  );
}

/**
 * Runs one bot in the foreground; resolves with its exit code.
 * @param {{ root: string, name: keyof typeof bots, args: string[], interruption: import("./types.d.ts").Interruption }} options
 */
export async function runBot({ root, name, args, interruption }) {
  const bot = bots[name];
  if (args.length === 0 && !process.env[bot.token]?.trim()) {
    throw new StarterError(
      `${bot.token} is not set: add the token of the bot to .env (\`${bot.token}=…\`) or to the environment, then start again. ${bot.readme}/README.md describes how to get one.`,
    );
  }
  if (args.length === 0 && !(await ensureBotKey({ root, env: {}, interruption }))) {
    throw new StarterError(
      `The API key of the ${bot.title} could not be created because of the error above.`,
    );
  }
  const child = spawnGroup("node", [programFile(bot.main), ...args], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const { code, signal } = await waitForGroup(child, interruption);
  if (interruption.signal.aborted) return code === 0 || signal === interruption.name() ? 0 : 1;
  return code;
}

/**
 * Creates the API key of the bots unless one is configured or stored; resolves with whether that succeeded.
 * @param {Pick<Parameters<typeof superviseBots>[0], "root" | "env" | "interruption">} options
 */
async function ensureBotKey({ root, env, interruption }) {
  if (interruption.signal.aborted) return true;
  const child = spawnGroup("node", [programFile("@koma/cli/koma"), "bot", "key", "ensure"], {
    cwd: root,
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const { code } = await waitForGroup(child, interruption);
  return code === 0 || interruption.signal.aborted;
}

/** @param {Parameters<typeof superviseBots>[0] & { bot: Bot }} options */
async function superviseBot({ root, env, interruption, address, bot }) {
  const main = programFile(bot.main);
  if (!existsSync(main)) throw new Error(`${main} is missing`);
  const { code } = await runSupervised({
    name: bot.title,
    interruption,
    // The IPC channel closes when this process ends in any way; then the bot ends.
    start: () =>
      spawnGroup("node", [main], {
        cwd: root,
        env: { ...env, KOMA_API_URL: process.env.KOMA_API_URL || address },
        stdio: ["ignore", "inherit", "inherit", "ipc"],
      }),
  });
  if (!interruption.signal.aborted && code === configurationExitCode) {
    log(bot, "is not restarted because of the configuration error above. The API continues.");
  }
}

/**
 * @param {Bot} bot
 * @param {string} what
 */
function log(bot, what) {
  process.stderr.write(`The ${bot.title} ${what}\n`);
}
