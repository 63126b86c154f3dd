import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { User } from "@koma/database";
import { CommandError } from "../command-error.ts";
import type { AccountsContext } from "../with-accounts.ts";

/** Creates the API key of the bots of this data folder once and stores it in `bot-key` (mode 0600). */
export async function ensureBotKey(context: AccountsContext): Promise<void> {
  const dataDir = context.configuration.KOMA_DATA_DIR;
  const file = join(dataDir, "bot-key");
  const saved = await readKey(file);
  if (saved !== undefined && (await isKnownKey(context, saved))) return;
  const bot = await ensureBot(context);
  if (!bot.isBot)
    throw new CommandError(
      `${botEmail} is not a bot account; delete it with \`koma user delete ${botEmail}\`.`,
    );
  // An operator disabled the bot; another key would be rejected as well.
  if (bot.isDisabled) return;
  const created = await context.accounts.keys.create({
    userId: bot.id,
    title: "Bots of this machine",
    isBot: true,
  });
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  await writeFile(draft, `${created.key}\n`, { mode: 0o600, flush: true });
  try {
    // The file of another process that started at the same time stays.
    await (saved === undefined ? link(draft, file) : rename(draft, file));
  } catch (error) {
    await context.accounts.keys.remove({ userId: bot.id, id: created.id });
    if (!isCode(error, "EEXIST")) throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function readKey(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, "utf8")).trim();
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** True if the key is in the database; a data folder may come from another database. */
async function isKnownKey({ accounts }: AccountsContext, key: string): Promise<boolean> {
  const found = await accounts.authenticate({ authorization: `Bearer ${key}` });
  return found !== undefined && !("problem" in found) && found.isBot;
}

/** The account of the bots of this Koma, created when it is missing. */
export async function ensureBot({ accounts }: AccountsContext): Promise<User> {
  const known = await accounts.users.show(botEmail);
  if (known !== undefined) return known;
  try {
    return (await accounts.users.create({ email: botEmail, name: "Koma bot", isBot: true })).user;
  } catch (error) {
    // Another process created it at the same time.
    const { EmailTakenError } = await import("@koma/accounts");
    const created = error instanceof EmailTakenError ? await accounts.users.show(botEmail) : undefined;
    if (created === undefined) throw error;
    return created;
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

/** Nobody receives its mail: `.invalid` is a reserved domain (RFC 2606). */
const botEmail = "bot@koma.invalid";
