import type pg from "pg";
import { backUpBeforeMigration } from "../backup/back-up-before-migration.ts";
import { migrate } from "../connection/migrate.ts";
import { migrationFolders } from "../connection/migration-folders.ts";

/** The schema of the bots' tables. */
export const botSchema = "bots";

/** Applies the migrations of the bots' tables, after a backup. Throws MigrationError. */
export async function prepareBotTables(
  pool: pg.Pool,
  { dataDir, onLog }: { dataDir: string; onLog: (message: string) => void },
): Promise<void> {
  await backUpBeforeMigration({ pool, dataDir, schema: botSchema, onLog });
  const applied = await migrate(pool, migrationFolders.bots, botSchema);
  if (applied.length > 0) onLog(`Applied migrations of the bots' tables: ${applied.join(", ")}.`);
}
