import { existsSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { spawnGroup, waitForGroup } from "./run-child.mjs";
import { StarterError } from "./starter-error.mjs";

/** The bots there are, each with the variable that holds its token. */
const bots = {
  discord: { title: "Discord bot", token: "DISCORD_TOKEN", main: "apps/discord-bot/dist/main.js" },
};

/** A bot that ends with this code cannot work as it is configured: starting it again would not help (sysexits.h, EX_CONFIG). */
const hopelessCode = 78;
const firstWaitMs = 1_000;
const longestWaitMs = 300_000;
// One that worked as long as this has not failed at its start.
const soundAfterMs = 120_000;

/**
 * Runs every bot whose token is set beside an API at `address`, and starts one that ended again, later each time.
 * Whatever happens to a bot, the API goes on. Resolves when the interruption has ended all of them.
 */
export async function keepBots({ root, env, interruption, address }) {
  const chosen = Object.values(bots).filter(({ token }) => process.env[token]?.trim());
  await Promise.all(
    chosen.map(async (bot) => {
      try {
        await keepBot({ root, env, interruption, address, bot });
      } catch (error) {
        if (!interruption.signal.aborted) say(bot, `cannot be started: ${error.message}`);
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

async function keepBot({ root, env, interruption, address, bot }) {
  const main = path.join(root, bot.main);
  if (!existsSync(main)) throw new Error(`${bot.main} is missing`);
  for (let waitMs = firstWaitMs; !interruption.signal.aborted; ) {
    const startedMs = Date.now();
    // Over the IPC channel the bot notices when this process is gone, however it went.
    const child = spawnGroup("node", [main], {
      cwd: root,
      env: { ...env, KOMA_API_URL: process.env.KOMA_API_URL || address },
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    const { code, signal } = await waitForGroup(child, interruption);
    if (interruption.signal.aborted) return;
    if (code === hopelessCode) {
      say(bot, "stays off; the reason stands above. The API goes on.");
      return;
    }
    if (Date.now() - startedMs > soundAfterMs) waitMs = firstWaitMs;
    say(bot, `ended (${signal ?? `code ${code}`}) and is started again in ${Math.round(waitMs / 1000)} s.`);
    await sleep(waitMs, undefined, { signal: interruption.signal }).catch(() => {});
    waitMs = Math.min(waitMs * 2, longestWaitMs);
  }
}

function say(bot, what) {
  process.stderr.write(`The ${bot.title} ${what}\n`);
}
