import { Command } from "commander";
import { ensureBot, ensureBotKey, rotateBotKey } from "../accounts/ensure-bot-key.ts";
import { CommandError } from "../command-error.ts";
import { readConfiguration } from "../config.ts";
import { formatTable } from "../terminal/table.ts";
import { writeJsonLine } from "../terminal/write-json-line.ts";
import { describeAction, withAccounts } from "../with-accounts.ts";
import { positiveInteger } from "./whole-number.ts";
import { type JsonOptions, withJson } from "./with-json.ts";

/** `koma bot key create|ensure|list|revoke|rotate` */
export function createBotKeyCommand(): Command {
  return new Command("key")
    .description("Manages the API keys of the bots.")
    .addCommand(createCreate())
    .addCommand(createEnsure())
    .addCommand(createList())
    .addCommand(createRevoke())
    .addCommand(createRotate());
}

function createCreate(): Command {
  return withJson(
    new Command("create").description(
      "Creates an API key with which a bot on another machine uses this Koma.",
    ),
  )
    .option("--title <text>", "name of the key", "Bot on another machine")
    .option("--days <number>", "days until the key expires; it does not expire by default", positiveInteger)
    .action(async ({ title, days, json }: JsonOptions & { title: string; days?: number }) => {
      const created = await withAccounts(async (context) => {
        const { TooManyKeysError } = await import("@koma/accounts");
        const bot = await ensureBot(context);
        const newKey = await context.accounts.keys
          .create({ userId: bot.id, title, expiresInDays: days, isBot: true })
          .catch((error: unknown) => {
            if (error instanceof TooManyKeysError) throw new CommandError(error.message);
            throw error;
          });
        await context.database.audit.record(describeAction("bot.key.create", `key:${newKey.id}`));
        return newKey;
      });
      if (json) return await writeJsonLine(created);
      process.stdout.write(
        `Bot key, shown only once: ${created.key}\n` +
          "Set it as KOMA_BOT_KEY of the bot, and the address of this Koma as KOMA_API_URL.\n",
      );
    });
}

function createEnsure(): Command {
  return new Command("ensure")
    .description(
      "Creates the API key of the bots of this machine (`bot-key` in the data folder) unless it is valid or KOMA_BOT_KEY is set. The start of a bot runs this command.",
    )
    .action(async () => {
      // A bot with a configured key does not read the file, and its machine may have no database.
      if (readConfiguration().KOMA_BOT_KEY === undefined) await withAccounts(ensureBotKey);
    });
}

function createList(): Command {
  return withJson(new Command("list").description("Lists the API keys of the bots, newest first.")).action(
    async ({ json }: JsonOptions) => {
      const { items } = await withAccounts(async (context) => {
        const bot = await ensureBot(context);
        return await context.accounts.keys.list({ userId: bot.id, page: 1, pageSize: 1000 });
      });
      if (json) for (const key of items) await writeJsonLine(key);
      else if (items.length === 0) process.stdout.write("There are no bot keys.\n");
      else {
        const day = (at: Date | null) => at?.toISOString().slice(0, 10) ?? "never";
        const rows = items.map((key) => [
          key.title,
          `${key.start}…`,
          day(key.createdAt),
          day(key.lastUsedAt),
          day(key.expiresAt),
          key.revokedAt === null ? "" : `published, revoked ${day(key.revokedAt)}`,
          key.id,
        ]);
        process.stdout.write(
          `${formatTable(["Title", "Key", "Created", "Last used", "Expires", "State", "Id"], rows)}\n`,
        );
      }
    },
  );
}

function createRevoke(): Command {
  return withJson(new Command("revoke").description("Revokes an API key of the bots immediately."))
    .argument("<id>", "id of the key, as `koma bot key list` shows it")
    .action(async (id: string, { json }: JsonOptions) => {
      await withAccounts(async (context) => {
        const bot = await ensureBot(context);
        if (!(await context.accounts.keys.remove({ userId: bot.id, id })))
          throw new CommandError("there is no such bot key: `koma bot key list` shows all.");
        await context.database.audit.record(describeAction("bot.key.revoke", `key:${id}`));
      });
      if (json) return await writeJsonLine({ id });
      process.stdout.write("The key is revoked.\n");
    });
}

function createRotate(): Command {
  return withJson(
    new Command("rotate").description(
      "Replaces the API key of the bots of this machine (`bot-key` in the data folder) and revokes the previous one.",
    ),
  ).action(async ({ json }: JsonOptions) => {
    const rotated = await withAccounts(async (context) => {
      const result = await rotateBotKey(context);
      await context.database.audit.record(describeAction("bot.key.rotate", "key:bot-key"));
      return result;
    });
    if (json) return await writeJsonLine(rotated);
    process.stdout.write(
      `The bot key is replaced${rotated.hasRevoked ? ", the previous one is revoked" : ""}. Restart the bots.\n`,
    );
  });
}
