import { existsSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import type { DatabaseAddress } from "../backup/backup.ts";
import { listMissing, readApplied } from "../connection/migrate.ts";
import { migrationFolders } from "../connection/migration-folders.ts";
import { MigrationError } from "../errors.ts";
import { acceptsConnections } from "../local-server/accepts-connections.ts";
import { describeHolder, isGenerationLocked } from "../local-server/generation-lock.ts";
import { isMoveNeeded } from "../local-server/pglite/old-database.ts";
import { locateServerFolder, socketPort } from "../local-server/server-folder.ts";
import { type Content, readContent } from "./read-content.ts";
import { readServer, type Server } from "./read-server.ts";

/** The state of a database. */
export type DatabaseInspection =
  /** There is no embedded database in the data folder yet. */
  | { status: "missing" }
  /** The embedded server does not run. */
  | { status: "stopped" }
  /** The embedded server runs and cannot be reached from here; `holder` describes its process. */
  | { status: "inaccessible"; holder: string | undefined }
  /** PostgreSQL does not respond, or rejects the login. */
  | { status: "unavailable"; reason: string }
  | {
      status: "connected";
      server: Server;
      schemas: Schemas;
      /** Undefined unless the schema is current. */
      content: Content | undefined;
    };

/** Inspects a database without a change: creates no folder, starts no server and applies no migration. */
export async function inspectDatabase(address: DatabaseAddress): Promise<DatabaseInspection> {
  const { dataDir, databaseUrl } = address;
  if (databaseUrl !== undefined) return await inspectServer({ connectionString: databaseUrl });
  const folder = path.join(path.resolve(dataDir), "database");
  if (!existsSync(folder)) return { status: "missing" };
  const serverFolder = await locateServerFolder(folder);
  if (await acceptsConnections(serverFolder.socketFile)) {
    return await inspectServer({
      host: serverFolder.socketFolder,
      port: socketPort,
      user: "postgres",
      database: "postgres",
    });
  }
  if (await isGenerationLocked(folder)) {
    return { status: "inaccessible", holder: await describeHolder(folder) };
  }
  const isPresent = existsSync(serverFolder.dataFolder) || isMoveNeeded(serverFolder);
  return { status: isPresent ? "stopped" : "missing" };
}

async function inspectServer(connection: pg.PoolConfig): Promise<DatabaseInspection> {
  const pool = new pg.Pool({
    ...connection,
    max: 1,
    connectionTimeoutMillis: 10_000,
    query_timeout: 30_000,
  });
  pool.on("error", () => undefined);
  try {
    const server = await readServer(pool);
    const schemas = await readSchemas(pool);
    const isCurrent = schemas.problem === undefined && schemas.missingMigrations.length === 0;
    return { status: "connected", server, schemas, content: isCurrent ? await readContent(pool) : undefined };
  } catch (error) {
    const reason = error instanceof Error ? error.message || String(error) : String(error);
    return { status: "unavailable", reason };
  } finally {
    await pool.end();
  }
}

/** The migrations of a database. */
type Schemas = {
  /** True before the first start applied migrations. */
  isEmpty: boolean;
  /** Migrations of the API and of a bot that ran before, which the next start applies. */
  missingMigrations: string[];
  /** Why a start cannot apply migrations; the message names the remedy. */
  problem: string | undefined;
};

async function readSchemas(pool: pg.Pool): Promise<Schemas> {
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
