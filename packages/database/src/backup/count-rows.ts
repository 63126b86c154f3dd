import type pg from "pg";
import { migrationFolders } from "../connection/migration-folders.ts";
import { isOmitted, listTables, publishedOnly, quote } from "./export-records.ts";

/** The number of the rows that a backup contains, by table. */
export async function countRows(pool: pg.Pool): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const schema of Object.keys(migrationFolders)) {
    for (const { table } of await listTables(pool, schema)) {
      if (isOmitted(schema, table)) continue;
      const from = `${quote(schema)}.${quote(table)}`;
      const { rows } = await pool.query(
        `SELECT count(*)::int AS "count" FROM ${from} ${publishedOnly(schema, table)}`,
      );
      counts.set(from, rows[0].count);
    }
  }
  return counts;
}
