import { spawnGroup, waitForGroup } from "./run-child.ts";
import { configurationExitCode, runSupervised } from "./run-supervised.ts";
import { StarterError } from "./starter-error.ts";
import type { Environment, Interruption } from "./types.ts";

/** The bots, each with the variable of its token and the folder of its app. */
const bots = {
  discord: {
    title: "Discord bot",
    token: "DISCORD_TOKEN",
    app: "apps/discord-bot",
  },
  telegram: {
    title: "Telegram bot",
    token: "TELEGRAM_TOKEN",
    app: "apps/telegram-bot",
  },
} as const;

type Bot = (typeof bots)[keyof typeof bots];
type RunBotOptions = {
  root: string;
  name: keyof typeof bots;
  args: string[];
  interruption: Interruption;
};
type BotsOptions = { root: string; env: Environment; interruption: Interruption; address: string };

/**
 * Runs every bot whose token is set beside an API at `address`, and restarts a bot that ended after a pause.
 * A bot that fails does not affect the API. Resolves when the interruption has ended all bots.
 */
export async function superviseBots({ root, env, interruption, address }: BotsOptions): Promise<void> {
  const chosen = Object.values(bots).filter(hasToken);
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
 */
export async function runBot({ root, name, args, interruption }: RunBotOptions): Promise<number> {
  const bot = bots[name];
  if (args.length === 0 && !hasToken(bot)) {
    throw new StarterError(
      `${bot.token} is not set: add the token of the bot to .env (\`${bot.token}=…\`) or to the environment, then start again. ${bot.app}/README.md describes how to get one.`,
      configurationExitCode,
    );
  }
  if (args.length === 0 && !(await ensureBotKey({ root, env: {}, interruption }))) {
    throw new StarterError(
      `The API key of the ${bot.title} could not be created because of the error above.`,
    );
  }
  const child = spawnGroup("node", [`${bot.app}/src/main.ts`, ...args], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const { code, signal } = await waitForGroup(child, interruption);
  if (interruption.signal.aborted) return code === 0 || signal === interruption.name() ? 0 : 1;
  return code;
}

/**
 * Creates the API key of the bots unless one is configured or stored; resolves with whether that succeeded.
 */
async function ensureBotKey({ root, env, interruption }: Omit<BotsOptions, "address">): Promise<boolean> {
  if (interruption.signal.aborted) return true;
  const child = spawnGroup("node", ["apps/cli/src/koma.ts", "bot", "key", "ensure"], {
    cwd: root,
    env,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const { code } = await waitForGroup(child, interruption);
  return code === 0 || interruption.signal.aborted;
}

async function superviseBot({
  root,
  env,
  interruption,
  address,
  bot,
}: BotsOptions & { bot: Bot }): Promise<void> {
  const { code } = await runSupervised({
    name: bot.title,
    interruption,
    start: () =>
      spawnGroup("node", [`${bot.app}/src/main.ts`], {
        cwd: root,
        env: { ...env, KOMA_API_URL: process.env.KOMA_API_URL || address },
        stdio: ["ignore", "inherit", "inherit", "ipc"],
      }),
  });
  if (!interruption.signal.aborted && code === configurationExitCode) {
    log(bot, "is not restarted because of the configuration error above. The API continues.");
  }
}

function log(bot: Bot, what: string): void {
  process.stderr.write(`The ${bot.title} ${what}\n`);
}

/** Whether the token or the file with it is set. */
function hasToken({ token }: { token: string }): boolean {
  return [token, `${token}_FILE`].some((variable) => process.env[variable]?.trim());
}
