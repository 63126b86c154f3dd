import type pg from "pg";
import { listMissing, readApplied } from "../connection/migrate.ts";
import { migrationFolders } from "../connection/migration-folders.ts";
import { MigrationError } from "../errors.ts";

/** The migrations of a database. */
export type Schemas = {
  /** True before the first start applied migrations. */
  isEmpty: boolean;
  /** Migrations of the API and of a bot that ran before, which the next start applies. */
  missingMigrations: string[];
  /** Why a start cannot apply migrations; the message names the remedy. */
  problem: string | undefined;
};

export async function readSchemas(pool: pg.Pool): Promise<Schemas> {
  const missingMigrations: string[] = [];
  const isEmpty = (await readApplied(pool, "public")).length === 0;
  try {
    for (const schema of ["public", "bots"] as const) {
      if (schema === "bots" && (await readApplied(pool, schema)).length === 0) continue;
      missingMigrations.push(...(await listMissing(pool, migrationFolders[schema], schema)));
    }
    return { isEmpty, missingMigrations, problem: undefined };
  } catch (error) {
    if (!(error instanceof MigrationError)) throw error;
    return { isEmpty, missingMigrations, problem: error.message };
  }
}
