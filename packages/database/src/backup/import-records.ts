import type pg from "pg";
import { migrate, readMigrations, restoreMarker } from "../connection/migrate.ts";
import { migrationFolders, type SchemaName } from "../connection/migration-folders.ts";
import { BackupError } from "../errors.ts";
import type { BackupHeader, BackupRecord, BackupTable } from "./backup-lines.ts";
import { listTables, quote } from "./export-records.ts";

/** Throws BackupError when the target is not empty, or when a newer version of Koma wrote the records. */
export async function checkTarget(pool: pg.Pool, header: BackupHeader): Promise<void> {
  await checkSchemas(pool, header);
  for (const schema of Object.keys(migrationFolders)) {
    const filled = await findFilledTable(pool, schema);
    if (filled === undefined) continue;
    throw new BackupError(
      `The target database is not empty: ${filled} has rows. Restore into an empty database.`,
    );
  }
}

/**
 * Loads records into an empty database at their schema version, then applies newer migrations. Until the end,
 * a marker makes the database unusable for every other function. `checkTarget` must have succeeded. Returns
 * the number of rows. Throws BackupError before the first row when one of `tables` is unknown or has an unknown
 * column.
 */
export async function importRecords(
  pool: pg.Pool,
  records: AsyncIterable<BackupRecord>,
  { tables = [], signal }: { tables?: readonly BackupTable[]; signal?: AbortSignal | undefined } = {},
): Promise<number> {
  let header: BackupHeader | undefined;
  let rows = 0;
  let constraints: Constraint[] = [];
  let table: BackupTable | undefined;
  let batch: string[] = [];
  let batchBytes = 0;

  async function flush(): Promise<void> {
    if (table === undefined || batch.length === 0) return;
    const into = `${quote(table.schema)}.${quote(table.table)}`;
    const columns = table.columns.map(quote).join(", ");
    await pool.query(
      `INSERT INTO ${into} (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::${into}, $1::json)`,
      [`[${batch.join(",")}]`],
    );
    rows += batch.length;
    batch = [];
    batchBytes = 0;
  }

  for await (const record of records) {
    signal?.throwIfAborted();
    if (record.kind === "header") {
      header = record.header;
      constraints = await prepare(pool, header, tables);
    } else if (record.kind === "table") {
      await flush();
      table = record;
    } else {
      batch.push(record.json);
      batchBytes += record.json.length;
      if (batch.length >= batchRows || batchBytes >= batchLimitBytes) await flush();
    }
  }
  await flush();
  if (header === undefined) throw new BackupError("The backup has no header.");
  await finish(pool, header, constraints);
  return rows;
}

type Constraint = { table: string; name: string; definition: string };

const batchRows = 500;
const batchLimitBytes = 1024 * 1024;
const incomplete =
  "A restore into the target database did not complete. Remove the database (embedded: the folder `database` in the data folder) and restore again.";

function newerVersion(name: string): BackupError {
  return new BackupError(
    `The backup has ${name}, which is unknown to this version of Koma. Restore it with the version that wrote it, or with a newer one.`,
  );
}

function isSchemaName(name: string): name is SchemaName {
  return Object.hasOwn(migrationFolders, name);
}

async function readNames(pool: pg.Pool, schema: string): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT migration_name AS name FROM ${quote(schema)}._prisma_migrations WHERE rolled_back_at IS NULL`,
  );
  return rows.map(({ name }) => name);
}

async function checkSchemas(pool: pg.Pool, header: BackupHeader): Promise<void> {
  for (const { schema, migrations } of header.schemas) {
    if (!isSchemaName(schema)) throw newerVersion(schema);
    const known = await readMigrations(migrationFolders[schema]);
    for (const { name, checksum } of migrations) {
      if (!known.some((each) => each.name === name && each.checksum === checksum)) throw newerVersion(name);
    }
    const { rows } = await pool.query("SELECT to_regclass($1) IS NOT NULL AS found", [
      `${quote(schema)}._prisma_migrations`,
    ]);
    const applied = rows[0].found ? await readNames(pool, schema) : [];
    if (applied.includes(restoreMarker)) throw new BackupError(incomplete);
    if (applied.length > 0 && applied.some((name) => !migrations.some((each) => each.name === name))) {
      throw new BackupError(
        "The schema of the target database is newer than the backup. Restore into a new database.",
      );
    }
  }
}

async function findFilledTable(pool: pg.Pool, schema: string): Promise<string | undefined> {
  for (const { table } of await listTables(pool, schema)) {
    // A migration inserts the only row of LibraryState.
    const condition = table === "LibraryState" ? `WHERE "seq" > 0` : "";
    const { rows } = await pool.query(
      `SELECT EXISTS (SELECT 1 FROM ${quote(schema)}.${quote(table)} ${condition}) AS filled`,
    );
    if (rows[0].filled) return table;
  }
  return undefined;
}

function checkTables(present: readonly BackupTable[], tables: readonly BackupTable[]): void {
  for (const { schema, table, columns } of tables) {
    const known = present.find((each) => each.schema === schema && each.table === table)?.columns;
    if (known === undefined) throw newerVersion(`the table ${table}`);
    const unknown = columns.find((column) => !known.includes(column));
    if (unknown !== undefined) throw newerVersion(`the column ${unknown} of the table ${table}`);
  }
}

/**
 * Creates the tables and the marker, and removes foreign keys and triggers, so that tables can be loaded in
 * any order.
 */
async function prepare(
  pool: pg.Pool,
  header: BackupHeader,
  tables: readonly BackupTable[],
): Promise<Constraint[]> {
  const constraints: Constraint[] = [];
  const present: BackupTable[] = [];
  for (const { schema, migrations } of header.schemas) {
    if (!isSchemaName(schema)) throw newerVersion(schema);
    const names = new Set(migrations.map(({ name }) => name));
    await migrate(pool, migrationFolders[schema], schema, (name) => names.has(name));
    present.push(...(await listTables(pool, schema)));
  }
  checkTables(present, tables);
  for (const { schema } of header.schemas) {
    await pool.query(
      `INSERT INTO ${quote(schema)}._prisma_migrations (id, checksum, migration_name) VALUES ($1, '', $1)`,
      [restoreMarker],
    );
    const { rows } = await pool.query<Constraint>(
      `SELECT conrelid::regclass::text AS "table", conname AS "name", pg_get_constraintdef(oid) AS "definition"
       FROM pg_constraint WHERE contype = 'f' AND connamespace = $1::regnamespace`,
      [quote(schema)],
    );
    for (const { table, name } of rows)
      await pool.query(`ALTER TABLE ${table} DROP CONSTRAINT ${quote(name)}`);
    constraints.push(...rows);
    for (const { table } of await listTables(pool, schema)) {
      await pool.query(`ALTER TABLE ${quote(schema)}.${quote(table)} DISABLE TRIGGER USER`);
      if (table === "LibraryState") await pool.query(`DELETE FROM ${quote(schema)}.${quote(table)}`);
    }
  }
  return constraints;
}

async function finish(
  pool: pg.Pool,
  header: BackupHeader,
  constraints: readonly Constraint[],
): Promise<void> {
  if (header.schemas.some(({ schema }) => schema === "public")) {
    // Chunks are read before their sets; these sets were deleted in between.
    await pool.query(
      `DELETE FROM "DescriptorChunk" c WHERE NOT EXISTS (SELECT 1 FROM "DescriptorSet" s WHERE s."id" = c."setId")`,
    );
  }
  for (const { table, name, definition } of constraints) {
    await pool.query(`ALTER TABLE ${table} ADD CONSTRAINT ${quote(name)} ${definition}`);
  }
  for (const { schema } of header.schemas) {
    for (const { table } of await listTables(pool, schema)) {
      await pool.query(`ALTER TABLE ${quote(schema)}.${quote(table)} ENABLE TRIGGER USER`);
    }
  }
  for (const { schema } of header.schemas) {
    await pool.query(`DELETE FROM ${quote(schema)}._prisma_migrations WHERE id = $1`, [restoreMarker]);
  }
  for (const { schema } of header.schemas) {
    if (isSchemaName(schema)) await migrate(pool, migrationFolders[schema], schema);
  }
}
