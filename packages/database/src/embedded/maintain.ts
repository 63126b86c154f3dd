// PostgreSQL leaves this work to background processes, and PGlite has none: its log and the space of deleted
// rows would grow until the server ends.
import { messages, type PGlite } from "@electric-sql/pglite";

/**
 * Executes the statement that the database needs most: a checkpoint, or the vacuum of one table. It holds the
 * session meanwhile, so the work of one statement is limited. Logs statements that fail or take a second.
 */
export async function maintain(db: PGlite, log: (line: string) => void): Promise<void> {
  const startedMs = performance.now();
  let statement = "maintenance";
  try {
    const { rows } = await db.query<{ statement: string }>(nextStatement);
    if (rows[0] === undefined) return;
    statement = rows[0].statement;
    await db.exec(statement);
  } catch (error) {
    // PostgreSQL rejected the statement, such as on a full disk. After other errors PGlite is not usable.
    if (!(error instanceof messages.DatabaseError)) throw error;
    log(`${statement} failed: ${error.message}`);
  }
  const heldMs = Math.round(performance.now() - startedMs);
  if (heldMs >= 1000) log(`${statement} took ${heldMs} ms`);
}

const mebibyte = 1024 ** 2;
/** Also what a start after a crash must replay: 0.5 s of writing on a busy disk. */
const walLimitBytes = 64 * mebibyte;
/** A vacuum of 300 MiB held the session for 3.3 s on a busy machine. */
const vacuumLimitBytes = 64 * mebibyte;
/** A tenth of the rows and this number may be dead, so that a small table is not vacuumed for every row. */
const deadRows = 1000;
/** Pages that no vacuum has seen; more of them at once would exceed the limit of one vacuum. */
const newBytes = 16 * mebibyte;

// A vacuum reads the pages that are not marked as visible and, for dead rows, all indexes of the table. A page
// loses its mark when one of its rows dies; "relallvisible" is as old as the last vacuum.
const nextStatement = `
  WITH tables AS (
    SELECT c.oid, c.reltuples, pg_stat_get_dead_tuples(c.oid) AS dead,
      pg_relation_size(c.oid) AS bytes,
      pg_relation_size(c.oid) - c.relallvisible * 8192::bigint AS "newBytes"
    FROM pg_class c WHERE c.relkind IN ('r', 't') AND c.relpersistence = 'p'
  ), due AS (
    SELECT *, least(bytes, "newBytes" + dead * 8192) + CASE WHEN dead > 0 THEN (
      SELECT coalesce(sum(pg_relation_size(indexrelid)), 0) FROM pg_index WHERE indrelid = oid
    ) ELSE 0 END AS work
    FROM tables WHERE dead > ${deadRows} + greatest(reltuples, 0) / 10 OR "newBytes" > ${newBytes}
  )
  SELECT 'CHECKPOINT' AS statement FROM pg_control_checkpoint()
  WHERE pg_current_wal_insert_lsn() - redo_lsn > ${walLimitBytes}
  UNION ALL (
    SELECT 'VACUUM (INDEX_CLEANUP ON, PROCESS_TOAST FALSE) ' || oid::regclass FROM due WHERE work < ${vacuumLimitBytes}
    ORDER BY "newBytes" DESC LIMIT 1
  )
  LIMIT 1`;
