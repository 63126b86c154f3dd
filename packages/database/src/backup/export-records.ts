import type pg from "pg";
import { listMissing, readApplied } from "../connection/migrate.ts";
import { migrationFolders } from "../connection/migration-folders.ts";
import { BackupError } from "../errors.ts";
import type { BackupHeader, BackupRecord, BackupTable } from "./backup-lines.ts";

/**
 * Reads the content of a database as records while it is in use. Descriptors of published sets never change,
 * so they are read before the transaction that reads all other tables from one snapshot; a long transaction
 * would keep PostgreSQL from reusing the space of deleted rows. Staged descriptors, prepared rankings and stills are omitted,
 * because they are created again, and so are the running workers. Throws BackupError when the database is empty, and MigrationError when its
 * schema is incomplete or newer than this version.
 */
export async function* exportRecords(
  pool: pg.Pool,
  extras: BackupHeader["extras"] = {},
): AsyncGenerator<BackupRecord> {
  const schemas = await readSchemas(pool);
  if (schemas.length === 0) throw new BackupError("The database is empty: there is nothing to back up.");
  const createdAt = new Date().toISOString();
  yield { kind: "header", header: { format: "koma-backup", version: 1, createdAt, schemas, extras } };
  const copied = new Set<string>();
  const client = await pool.connect();
  let isComplete = false;
  try {
    if (schemas.some(({ schema }) => schema === "public")) yield* exportChunks(client, copied);
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    for (const { schema } of schemas) {
      for (const { table, columns } of await listTables(client, schema)) {
        if (isOmitted(schema, table)) continue;
        if (table === chunkTable && schema === "public") yield* exportChunks(client, copied);
        else yield* exportTable(client, { schema, table, columns });
      }
    }
    await client.query("COMMIT");
    isComplete = true;
  } finally {
    // A reader that stops early, for example on a full disk, ends this generator without an error.
    client.release(!isComplete);
  }
}

/** The tables of a schema with their columns, without Prisma's own. */
export async function listTables(client: pg.Pool | pg.PoolClient, schema: string): Promise<BackupTable[]> {
  const { rows } = await client.query<BackupTable>(
    `SELECT c.table_schema::text AS "schema", c.table_name::text AS "table",
       array_agg(c.column_name::text ORDER BY c.ordinal_position) AS "columns"
     FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE t.table_schema = $1 AND t.table_type = 'BASE TABLE' AND t.table_name <> '_prisma_migrations'
     GROUP BY c.table_schema, c.table_name ORDER BY c.table_name`,
    [schema],
  );
  return rows;
}

/** A quoted SQL identifier. */
export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The table that has nearly all bytes of a database. */
export const chunkTable = "DescriptorChunk";
const chunkColumns = ["setId", "index", "bytes"];
const omittedTables = ["RankingWindow", "RankingCount", "StillSet", "IndexWorker"];
const rowsPerFetch = 500;
// A chunk has up to 256 KiB.
const chunksPerFetch = 8;

/** Whether backups omit a table. */
export function isOmitted(schema: string, table: string): boolean {
  return schema === "public" && omittedTables.includes(table);
}

/** The condition for the rows of a table that backups contain. */
export function publishedOnly(schema: string, table: string): string {
  if (schema === "public" && table === "DescriptorSet") return `WHERE "seq" IS NOT NULL`;
  if (schema !== "public" || table !== chunkTable) return "";
  return `WHERE "setId" IN (SELECT "id" FROM "DescriptorSet" WHERE "seq" IS NOT NULL)`;
}

async function readSchemas(pool: pg.Pool): Promise<BackupHeader["schemas"]> {
  const schemas: BackupHeader["schemas"] = [];
  for (const [schema, folder] of Object.entries(migrationFolders)) {
    const applied = await readApplied(pool, schema);
    if (applied.length === 0) continue;
    await listMissing(pool, folder, schema);
    const migrations = applied.map((row) => ({ name: row.migration_name, checksum: row.checksum }));
    schemas.push({ schema, migrations: migrations.sort((a, b) => (a.name < b.name ? -1 : 1)) });
  }
  return schemas;
}

/** Reads the chunks of published sets that are not in `copied`, and adds their sets to it. */
async function* exportChunks(client: pg.PoolClient, copied: Set<string>): AsyncGenerator<BackupRecord> {
  const earlier = [...copied];
  let last = { setId: "", index: -1 };
  yield { kind: "table", schema: "public", table: chunkTable, columns: chunkColumns };
  for (;;) {
    const { rows } = await client.query<{ setId: string; index: number; json: string }>(
      `SELECT c."setId", c."index", row_to_json(c)::text AS "json" FROM "DescriptorChunk" c
       JOIN "DescriptorSet" s ON s."id" = c."setId"
       WHERE (c."setId", c."index") > ($1, $2) AND s."seq" IS NOT NULL AND NOT c."setId" = ANY($3)
       ORDER BY c."setId", c."index" LIMIT ${chunksPerFetch}`,
      [last.setId, last.index, earlier],
    );
    for (const { setId, index, json } of rows) {
      copied.add(setId);
      last = { setId, index };
      yield { kind: "row", json };
    }
    if (rows.length < chunksPerFetch) return;
  }
}

async function* exportTable(
  client: pg.PoolClient,
  { schema, table, columns }: BackupTable,
): AsyncGenerator<BackupRecord> {
  yield { kind: "table", schema, table, columns };
  const condition = publishedOnly(schema, table);
  const from = `${quote(schema)}.${quote(table)}`;
  await client.query(
    `DECLARE koma_backup NO SCROLL CURSOR FOR SELECT row_to_json(t)::text AS "json" FROM ${from} t ${condition}`,
  );
  for (;;) {
    const { rows } = await client.query<{ json: string }>(`FETCH ${rowsPerFetch} FROM koma_backup`);
    for (const { json } of rows) yield { kind: "row", json };
    if (rows.length < rowsPerFetch) break;
  }
  await client.query("CLOSE koma_backup");
}
