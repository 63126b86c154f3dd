import path from "node:path";
import pg from "pg";
import { createEmbeddedClient } from "./embedded/create-embedded-client.ts";
import { openEmbeddedFolder, socketPort } from "./embedded/embedded-folder.ts";
import { ensureServer } from "./embedded/ensure-server.ts";
import { DatabaseUnavailableError } from "./errors.ts";

/**
 * Connections to PostgreSQL at `databaseUrl`, or without one to the embedded server under `dataDir`, which is started when
 * it does not run. Throws DatabaseUnavailableError.
 */
export async function openPool(options: {
  dataDir: string;
  databaseUrl: string | undefined;
  poolSize: number;
  /** Where the address came from, for errors. */
  variable?: keyof typeof alternatives | undefined;
  /** PostgreSQL: every connection acts as this role. */
  role?: string | undefined;
}): Promise<pg.Pool> {
  const { databaseUrl, dataDir, poolSize, variable = "DATABASE_URL", role } = options;
  const pool =
    databaseUrl === undefined
      ? await openEmbeddedPool(dataDir, poolSize)
      : await openServerPool(databaseUrl, { poolSize, variable, role });
  // Broken idle connections leave the pool by themselves; unheard, the event would end the process.
  pool.on("error", () => undefined);
  return pool;
}

async function openEmbeddedPool(dataDir: string, poolSize: number): Promise<pg.Pool> {
  const embeddedFolder = await openEmbeddedFolder(path.join(path.resolve(dataDir), "database")).catch(
    (error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new DatabaseUnavailableError(`The data folder ${dataDir} cannot be used: ${reason}`, {
        cause: error,
      });
    },
  );
  await ensureServer(embeddedFolder);
  return new pg.Pool({
    Client: createEmbeddedClient(embeddedFolder),
    host: embeddedFolder.socketFolder,
    port: socketPort,
    user: "postgres",
    database: "postgres",
    max: poolSize,
    // The server ends when its last client is gone: as long as we live, we stay.
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: 60_000,
    query_timeout: 60_000,
  });
}

async function openServerPool(
  databaseUrl: string,
  options: { poolSize: number; variable: keyof typeof alternatives; role: string | undefined },
): Promise<pg.Pool> {
  const { poolSize, variable, role } = options;
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: poolSize,
    connectionTimeoutMillis: 15_000,
    statement_timeout: 60_000,
    idle_in_transaction_session_timeout: 30_000,
    keepAlive: true,
    ...(role === undefined
      ? {}
      : { onConnect: async (client) => void (await client.query(`SET ROLE "${role}"`)) }),
  });
  try {
    await pool.query("SELECT 1");
  } catch (error) {
    await pool.end();
    const reason = error instanceof Error ? error.message || String(error) : String(error);
    throw new DatabaseUnavailableError(
      `PostgreSQL at ${variable} does not answer: ${reason}. Check the address, or unset ${variable} to use ${alternatives[variable]}.`,
      { cause: error },
    );
  }
  return pool;
}

const alternatives = {
  DATABASE_URL: "the embedded database",
  KOMA_BOT_DATABASE_URL: "the database of the API",
};
