import type pg from "pg";
import { backUpBeforeMigration } from "../backup/back-up-before-migration.ts";
import { migrate } from "../connection/migrate.ts";
import { migrationFolders } from "../connection/migration-folders.ts";

/** The schema of the bots' tables. */
export const botSchema = "bots";

/** Applies the migrations of the bots' tables, after `backUpBeforeMigration`. Throws MigrationError. */
export async function prepareBotTables(
  pool: pg.Pool,
  options: { dataDir: string; isEmbedded: boolean; onLog: (message: string) => void },
): Promise<void> {
  await backUpBeforeMigration({ pool, schema: botSchema, ...options });
  const applied = await migrate(pool, migrationFolders.bots, botSchema);
  if (applied.length > 0) options.onLog(`Applied migrations of the bots' tables: ${applied.join(", ")}.`);
}
