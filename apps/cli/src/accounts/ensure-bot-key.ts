import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { User } from "@koma/database";
import { CommandError } from "../command-error.ts";
import type { AccountsContext } from "../with-accounts.ts";

/**
 * Creates the API key of the bots of this data folder unless the stored one is valid, and stores it in
 * `bot-key` (mode 0600).
 */
export async function ensureBotKey(context: AccountsContext): Promise<void> {
  const file = fileOf(context);
  const saved = await readKey(file);
  if (saved !== undefined && (await findKeyId(context, saved)) !== undefined) return;
  const bot = await ensureBotUser(context);
  // An operator disabled the bot; another key would be rejected as well.
  if (bot.isDisabled) return;
  // The file of another process that started at the same time stays.
  await createKeyFile(context, { bot, file, moveFile: saved === undefined ? link : rename });
}

/**
 * Replaces the API key of the bots of this data folder: stores a new one in `bot-key`, then revokes the
 * previous one. Resolves with whether there was a valid one.
 */
export async function rotateBotKey(context: AccountsContext): Promise<{ hasRevoked: boolean }> {
  const file = fileOf(context);
  const saved = await readKey(file);
  const oldId = saved === undefined ? undefined : await findKeyId(context, saved);
  const bot = await ensureBotUser(context);
  if (bot.isDisabled) {
    throw new CommandError(`${bot.email} is disabled; enable it first: \`koma user enable ${bot.email}\`.`);
  }
  await createKeyFile(context, { bot, file, moveFile: rename });
  if (oldId === undefined) return { hasRevoked: false };
  return { hasRevoked: await context.accounts.keys.remove({ userId: bot.id, id: oldId }) };
}

const fileOf = ({ configuration }: AccountsContext) => join(configuration.KOMA_DATA_DIR, "bot-key");

async function ensureBotUser(context: AccountsContext): Promise<User> {
  const bot = await ensureBot(context);
  if (bot.isBot) return bot;
  throw new CommandError(
    `${botEmail} is not a bot account; delete it with \`koma user delete ${botEmail}\`.`,
  );
}

/** Creates a key and moves its file into place; `link` keeps an existing file, `rename` replaces it. */
async function createKeyFile(
  { accounts, configuration }: AccountsContext,
  { bot, file, moveFile }: { bot: User; file: string; moveFile: (from: string, to: string) => Promise<void> },
): Promise<void> {
  const created = await accounts.keys.create({ userId: bot.id, title: "Bots of this machine", isBot: true });
  await mkdir(configuration.KOMA_DATA_DIR, { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  await writeFile(draft, `${created.key}\n`, { mode: 0o600, flush: true });
  try {
    await moveFile(draft, file);
  } catch (error) {
    await accounts.keys.remove({ userId: bot.id, id: created.id });
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

/** The id of a bot key in the database; a data folder may come from another database. */
async function findKeyId({ accounts }: AccountsContext, key: string): Promise<string | undefined> {
  const found = await accounts.authenticate({ authorization: `Bearer ${key}` });
  return found !== undefined && !("problem" in found) && found.isBot ? found.keyId : undefined;
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
