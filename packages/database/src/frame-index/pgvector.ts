import type pg from "pg";
import { IndexUnavailableError } from "../errors.ts";

/** The first version with iterative scans, and the first without the defects of `knownDefects`. */
const leastVersion = "0.8.0";
const soundVersion = "0.8.7";

const knownDefects =
  "parallel builds of HNSW indexes can leak data of other tables or end the server (CVE-2026-3172), and vacuum can damage an HNSW index";

/** pgvector on a server: the version that the server has, and the one in the database, if any. */
type Extension = { available: string | null; installed: string | null };

/**
 * Creates the extension pgvector where it is missing. Returns true when it has the defects of versions before
 * 0.8.7, about which `onLog` receives a warning. Throws IndexUnavailableError with a remedy.
 */
export async function preparePgvector(
  pool: pg.Pool,
  onLog: (message: string) => void,
): Promise<{ isDefective: boolean }> {
  const { rows } = await pool.query<Extension>(
    `SELECT default_version AS available, installed_version AS installed
     FROM pg_available_extensions WHERE name = 'vector'`,
  );
  const warning = checkPgvector(rows[0]);
  if (rows[0]?.installed === null) await createExtension(pool);
  if (warning !== undefined) onLog(warning);
  return { isDefective: warning !== undefined };
}

/**
 * Returns a warning for a version with known defects. Throws IndexUnavailableError for a missing extension and
 * for a version that is too old.
 */
export function checkPgvector(extension: Extension | undefined): string | undefined {
  if (extension === undefined) {
    throw new IndexUnavailableError(
      `KOMA_INDEX=postgres needs the extension pgvector ${leastVersion} or later, which this PostgreSQL does not have. Install it on the database server (Debian and Ubuntu: the package postgresql-NN-pgvector), or unset KOMA_INDEX.`,
    );
  }
  const version = extension.installed ?? extension.available ?? "0";
  if (isBefore(version, leastVersion)) {
    throw new IndexUnavailableError(
      `KOMA_INDEX=postgres needs the extension pgvector ${leastVersion} or later, and this database has ${version}. Update pgvector on the database server, then run ALTER EXTENSION vector UPDATE, or unset KOMA_INDEX.`,
    );
  }
  return isBefore(version, soundVersion)
    ? `pgvector ${version} has known defects: ${knownDefects}. Update to ${soundVersion}. Until then Koma builds the index with one process.`
    : undefined;
}

async function createExtension(pool: pg.Pool): Promise<void> {
  try {
    await pool.query("CREATE EXTENSION IF NOT EXISTS vector");
  } catch (cause) {
    // Another process created it at the same time.
    const { rowCount } = await pool.query("SELECT 1 FROM pg_extension WHERE extname = 'vector'");
    if (rowCount === 1) return;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new IndexUnavailableError(
      `The extension pgvector cannot be created: ${reason}. Run CREATE EXTENSION vector in this database as an administrator.`,
      { cause },
    );
  }
}

function isBefore(version: string, other: string): boolean {
  const [one, two] = [version, other].map((text) =>
    text.split(".").map((part) => Number.parseInt(part, 10) || 0),
  );
  for (let at = 0; at < 3; at++) {
    const difference = (one?.[at] ?? 0) - (two?.[at] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}
