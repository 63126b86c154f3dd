import type pg from "pg";
import type { BackupRecord } from "./backup-lines.ts";
import { countRows } from "./count-rows.ts";
import { chunkTable, quote } from "./export-records.ts";

// A chunk of descriptors takes about as long as this many other rows.
const rowsPerChunk = 500;

/** Passes the records of a backup on, and reports the fraction of the database's rows that they contain. */
export async function* reportProgress(
  pool: pg.Pool,
  records: AsyncIterable<BackupRecord>,
  onProgress: (fraction: number) => void,
): AsyncGenerator<BackupRecord> {
  let total = 0;
  for (const [table, count] of await countRows(pool)) total += count * weigh(table);
  let done = 0;
  let weight = 0;
  for await (const record of records) {
    yield record;
    if (record.kind === "table") weight = weigh(`${quote(record.schema)}.${quote(record.table)}`);
    if (record.kind !== "row") continue;
    done += weight;
    // Rows are added while it is written.
    onProgress(Math.min(1, done / total));
  }
}

function weigh(table: string): number {
  return table === `"public".${quote(chunkTable)}` ? rowsPerChunk : 1;
}
