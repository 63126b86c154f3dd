import {
  type Accounts,
  type CallerHashes,
  createCallerHashes,
  openAccounts,
  openSecret,
} from "@koma/accounts";
import { parseConfiguration } from "@koma/config";
import { connectDatabase, type Database } from "@koma/database";
import type { ServerWorkplace } from "./koma.ts";

export type UseAccounts = (
  accounts: Accounts,
  beside: { database: Database; hashes: CallerHashes },
) => Promise<void>;

/** Uses the accounts in the database of a workplace, opened as by the API. */
export async function useAccounts(
  { path, databaseUrl }: Pick<ServerWorkplace, "path" | "databaseUrl">,
  use: UseAccounts,
): Promise<void> {
  const dataDir = path("data");
  const database = await connectDatabase({ dataDir, databaseUrl });
  const secret = await openSecret({ dataDir });
  const accounts = openAccounts({
    database,
    configuration: parseConfiguration({}),
    secret,
    baseUrl: () => "http://localhost:3000",
    trustedOrigins: [],
    log: () => {},
  });
  await use(accounts, { database, hashes: createCallerHashes(secret) }).finally(() => database.close());
}
