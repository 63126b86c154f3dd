import { userInfo } from "node:os";
import type { Accounts, CallerHashes } from "@koma/accounts";
import type { Configuration } from "@koma/config";
import { connectDatabase, type Database, type JsonObject, type NewAuditEntry } from "@koma/database";
import { readConfiguration } from "./config.ts";

/** The parameters of commands about accounts. */
export type AccountsContext = {
  accounts: Accounts;
  database: Database;
  hashes: CallerHashes;
  configuration: Configuration;
};

/** The entry of the audit log for an action on the command line. */
export function describeAction(action: string, target: string, details?: JsonObject): NewAuditEntry {
  return { actor: `cli:${readUserName()}`, action, target, details };
}

function readUserName(): string {
  try {
    return userInfo().username;
  } catch {
    // The user has no name, as in some containers.
    return String(process.getuid?.() ?? "unknown");
  }
}

/** Opens database and accounts as configured, runs `use` with them, and closes both in every case. */
export async function withAccounts<Result>(
  use: (context: AccountsContext) => Promise<Result>,
): Promise<Result> {
  const configuration = readConfiguration();
  // The import takes half a second, which commands about videos save.
  const { createCallerHashes, openAccounts, openSecret } = await import("@koma/accounts");
  const { KOMA_DATA_DIR: dataDir, DATABASE_URL: databaseUrl } = configuration;
  const onLog = (message: string) => process.stderr.write(`${message}\n`);
  const database = await connectDatabase({ dataDir, databaseUrl, onLog });
  try {
    const secret = await openSecret({ dataDir, environmentSecret: configuration.KOMA_SECRET });
    const accounts = openAccounts({
      database,
      configuration,
      secret,
      log: onLog,
      baseUrl: () => configuration.KOMA_BASE_URL ?? `http://localhost:${configuration.PORT}`,
      trustedOrigins: configuration.KOMA_TRUSTED_ORIGINS,
    });
    try {
      return await use({ accounts, database, hashes: createCallerHashes(secret), configuration });
    } finally {
      await accounts.close();
    }
  } finally {
    await database.close();
  }
}
