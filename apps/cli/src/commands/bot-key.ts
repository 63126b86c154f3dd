import { Command } from "commander";
import { ensureBot } from "../accounts/ensure-bot-key.ts";
import { CommandError } from "../command-error.ts";
import { writeJsonLine } from "../terminal/write-json-line.ts";
import { withAccounts } from "../with-accounts.ts";

type Options = { title: string; json?: true };

/** `koma bot key create` */
export function createBotKeyCommand(): Command {
  return new Command("key").description("Manages the API keys of bots on other machines.").addCommand(
    new Command("create")
      .description("Creates an API key with which a bot on another machine uses this Koma.")
      .option("--title <text>", "name of the key", "Bot on another machine")
      .option("--json", "print the result as one JSON line")
      .action(async ({ title, json }: Options) => {
        const created = await withAccounts(async (context) => {
          const { TooManyKeysError } = await import("@koma/accounts");
          const bot = await ensureBot(context);
          return await context.accounts.keys
            .create({ userId: bot.id, title, isBot: true })
            .catch((error: unknown) => {
              if (error instanceof TooManyKeysError) throw new CommandError(error.message);
              throw error;
            });
        });
        if (json) return await writeJsonLine(created);
        process.stdout.write(
          `Bot key, shown only once: ${created.key}\n` +
            "Set it as KOMA_BOT_KEY of the bot, and the address of this Koma as KOMA_API_URL.\n",
        );
      }),
  );
}
