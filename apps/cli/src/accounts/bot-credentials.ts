import { randomBytes } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ConfigurationError } from "@koma/config";
import { CommandError } from "../command-error.ts";
import { readConfiguration } from "../config.ts";
import { type AccountsContext, withAccounts } from "../with-accounts.ts";
import { ensureBotKey } from "./ensure-bot-key.ts";

/**
 * Writes what the bots need in place of the settings of the API to files in `folder` (mode 0600): `bot-key`,
 * `vault-key` and `database-url`, for KOMA_BOT_KEY_FILE, KOMA_VAULT_KEY_FILE and KOMA_BOT_DATABASE_URL_FILE.
 * A repetition writes the same values. Throws CommandError and, without DATABASE_URL, ConfigurationError.
 */
export async function writeBotCredentials(folder: string): Promise<void> {
  const { DATABASE_URL: databaseUrl } = readConfiguration();
  if (databaseUrl === undefined) {
    const message = "is required: with the embedded database, the bots use the data folder of the API.";
    throw new ConfigurationError([{ variable: "DATABASE_URL", message }]);
  }
  const values = await withAccounts((context) => findCredentials(context, databaseUrl));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const [name, value] of Object.entries(values)) await replaceFile(join(folder, name), value);
}

async function findCredentials(context: AccountsContext, databaseUrl: string) {
  const { configuration } = context;
  const { KOMA_DATA_DIR: dataDir } = configuration;
  const { deriveKey, openSecret } = await import("@koma/accounts");
  const secret = await openSecret({ dataDir, environmentSecret: configuration.KOMA_SECRET });
  const vaultKeys =
    configuration.KOMA_VAULT_KEY.length > 0 ? configuration.KOMA_VAULT_KEY : [deriveKey(secret, "bot-vault")];
  return {
    "bot-key": configuration.KOMA_BOT_KEY ?? (await createBotKey(context)),
    "vault-key": vaultKeys.map((key) => Buffer.from(key).toString("hex")).join(","),
    "database-url": await findDatabaseUrl(context, {
      databaseUrl,
      password: deriveKey(secret, "bot-database").toString("hex"),
    }),
  };
}

async function createBotKey(context: AccountsContext): Promise<string> {
  await ensureBotKey(context);
  try {
    return (await readFile(join(context.configuration.KOMA_DATA_DIR, "bot-key"), "utf8")).trim();
  } catch (error) {
    throw new CommandError("there is no bot key, because the account of the bots is disabled.", {
      cause: error,
    });
  }
}

/** A database that already has a login for the bots gets no other one. */
async function findDatabaseUrl(
  { configuration }: AccountsContext,
  owner: { databaseUrl: string; password: string },
): Promise<string> {
  const { BotLoginError, ensureBotLogin, openBotStore } = await import("@koma/database/bots");
  const { KOMA_DATA_DIR: dataDir, KOMA_BOT_DATABASE_URL: known } = configuration;
  const onLog = (message: string) => process.stderr.write(`${message}\n`);
  if (known !== undefined) {
    await (await openBotStore({ dataDir, databaseUrl: owner.databaseUrl, onLog })).close();
    return known;
  }
  try {
    return await ensureBotLogin({ ...owner, dataDir, onLog });
  } catch (error) {
    if (error instanceof BotLoginError) throw new CommandError(error.message);
    throw error;
  }
}

async function replaceFile(file: string, content: string): Promise<void> {
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    await writeFile(draft, content, { mode: 0o600, flush: true });
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}
