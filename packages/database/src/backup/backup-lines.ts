import { createHash } from "node:crypto";
import { BackupError } from "../errors.ts";

/** The first record of a backup. */
export type BackupHeader = {
  format: "koma-backup";
  version: 1;
  createdAt: string;
  schemas: { schema: string; migrations: { name: string; checksum: string }[] }[];
  /** Data of the caller, for example the encrypted secret. */
  extras: { [name: string]: unknown };
};

/** A table of a backup. */
export type BackupTable = { schema: string; table: string; columns: string[] };

/**
 * One record of a backup. Rows are JSON texts of PostgreSQL and are never parsed here, so numbers keep their
 * precision.
 */
export type BackupRecord =
  | { kind: "header"; header: BackupHeader }
  | ({ kind: "table" } & BackupTable)
  | { kind: "row"; json: string };

/** Writes records as lines, and ends them with their number and their SHA-256 hash. */
export async function* toLines(records: AsyncIterable<BackupRecord>): AsyncGenerator<string> {
  const hash = createHash("sha256");
  let lines = 0;
  for await (const record of records) {
    const line = `${writeRecord(record)}\n`;
    hash.update(line);
    lines += 1;
    yield line;
  }
  yield `E${JSON.stringify({ lines, sha256: hash.digest("hex") })}\n`;
}

/**
 * Reads the records of lines without their line breaks. Throws BackupError when they are damaged or
 * incomplete.
 */
export async function* toRecords(lines: AsyncIterable<string>): AsyncGenerator<BackupRecord> {
  const hash = createHash("sha256");
  let count = 0;
  let isEnded = false;
  for await (const line of lines) {
    if (isEnded) throw damaged("it continues after its end");
    if (line.startsWith("E")) {
      const end = parse<{ lines: number; sha256: string }>(line);
      if (end.lines !== count || end.sha256 !== hash.digest("hex")) throw damaged("its checksum is wrong");
      isEnded = true;
      continue;
    }
    hash.update(`${line}\n`);
    const record = readRecord(line);
    if ((count === 0) !== (record.kind === "header")) throw damaged("its header is missing");
    count += 1;
    yield record;
  }
  if (!isEnded) throw damaged("its end is missing");
}

/** Returns the error of a damaged backup. */
export function damaged(reason: string): BackupError {
  return new BackupError(`The backup is damaged: ${reason}. Nothing was changed.`);
}

function writeRecord(record: BackupRecord): string {
  if (record.kind === "header") return `H${JSON.stringify(record.header)}`;
  if (record.kind === "row") return `R${record.json}`;
  const { schema, table, columns } = record;
  return `T${JSON.stringify({ schema, table, columns })}`;
}

function readRecord(line: string): BackupRecord {
  const kind = line[0];
  if (kind === "R") return { kind: "row", json: line.slice(1) };
  if (kind === "T") return { kind: "table", ...parse<BackupTable>(line) };
  if (kind !== "H") throw damaged("it has an unknown record");
  const header = parse<BackupHeader>(line);
  if (header.format !== "koma-backup") throw damaged("it is not a backup of Koma");
  if (header.version !== 1) throw new BackupError("A newer version of Koma wrote the backup. Update Koma.");
  return { kind: "header", header };
}

function parse<Value>(line: string): Value {
  try {
    return JSON.parse(line.slice(1));
  } catch {
    throw damaged("a record is not JSON");
  }
}
