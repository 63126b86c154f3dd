import { existsSync } from "node:fs";
import path from "node:path";
import { spawnGroup, waitForGroup } from "./run-child.mjs";
import { configurationExitCode, runSupervised } from "./run-supervised.mjs";
import { StarterError } from "./starter-error.mjs";

/** The bots there are, each with the variable that holds its token. */
const bots = {
  discord: { title: "Discord bot", token: "DISCORD_TOKEN", main: "apps/discord-bot/dist/main.js" },
  telegram: { title: "Telegram bot", token: "TELEGRAM_TOKEN", main: "apps/telegram-bot/dist/main.js" },
};

/**
 * Runs every bot whose token is set beside an API at `address`, and starts one that ended again, after a pause.
 * Whatever happens to a bot, the API goes on. Resolves when the interruption has ended all of them.
 */
export async function superviseBots({ root, env, interruption, address }) {
  const chosen = Object.values(bots).filter(({ token }) => process.env[token]?.trim());
  await Promise.all(
    chosen.map(async (bot) => {
      try {
        await superviseBot({ root, env, interruption, address, bot });
      } catch (error) {
        if (!interruption.signal.aborted) log(bot, `cannot be started: ${error.message}`);
      }
    }),
  );
}

/** Runs one bot alone, in the foreground, with the arguments given; resolves with its exit code. */
export async function runBot({ root, name, args, interruption }) {
  const bot = bots[name];
  if (args.length === 0 && !process.env[bot.token]?.trim()) {
    throw new StarterError(
      `${bot.token} is not set: put the bot's token into .env (\`${bot.token}=…\`) or into the environment, then start again. ${path.dirname(path.dirname(bot.main))}/README.md says where it comes from.`,
    );
  }
  const child = spawnGroup("node", [path.join(root, bot.main), ...args], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const { code, signal } = await waitForGroup(child, interruption);
  if (interruption.signal.aborted) return code === 0 || signal === interruption.name() ? 0 : 1;
  return code;
}

async function superviseBot({ root, env, interruption, address, bot }) {
  const main = path.join(root, bot.main);
  if (!existsSync(main)) throw new Error(`${bot.main} is missing`);
  const { code } = await runSupervised({
    name: bot.title,
    interruption,
    // Over the IPC channel the bot notices when this process is gone, however it went.
    start: () =>
      spawnGroup("node", [main], {
        cwd: root,
        env: { ...env, KOMA_API_URL: process.env.KOMA_API_URL || address },
        stdio: ["ignore", "inherit", "inherit", "ipc"],
      }),
  });
  if (!interruption.signal.aborted && code === configurationExitCode) {
    log(bot, "stays off; the reason stands above. The API goes on.");
  }
}

function log(bot, what) {
  process.stderr.write(`The ${bot.title} ${what}\n`);
}
