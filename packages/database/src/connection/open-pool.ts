import path from "node:path";
import pRetry from "p-retry";
import type pg from "pg";
import { DatabaseUnavailableError } from "../errors.ts";
import { createLocalClient } from "../local-server/create-local-client.ts";
import { endWithServer } from "../local-server/end-with-server.ts";
import { ensureMoved } from "../local-server/pglite/ensure-moved.ts";
import { openServerFolder, socketPort } from "../local-server/server-folder.ts";
import { createPool, keepAlive } from "./create-pool.ts";
import { hasSqlState, isDatabaseUnavailable } from "./database-errors.ts";
import { endWhenLost } from "./end-when-lost.ts";

/**
 * A pool of connections to PostgreSQL at `databaseUrl`, or without it to the embedded server under `dataDir`,
 * which is started when it does not run. Throws DatabaseUnavailableError.
 */
export async function openPool(options: {
  dataDir: string;
  databaseUrl: string | undefined;
  poolSize: number;
  /** The variable that contains the address, for error messages. */
  variable?: keyof typeof alternatives | undefined;
  /** The role that every connection sets. */
  role?: string | undefined;
  /** Receives what the move of an older database did, and waits for a server; without it, standard error does. */
  onLog?: ((message: string) => void) | undefined;
  /** As in `connectDatabase`. */
  endsServer?: boolean | undefined;
}): Promise<pg.Pool> {
  const { databaseUrl, dataDir, poolSize, variable = "DATABASE_URL", role } = options;
  // The kernel kills all processes of a container with its first one.
  const { endsServer = process.pid === 1 } = options;
  const onLog = options.onLog ?? ((message) => void process.stderr.write(`${message}\n`));
  return databaseUrl === undefined
    ? await openEmbeddedPool(dataDir, { poolSize, role, onLog, endsServer })
    : await openServerPool(databaseUrl, { poolSize, variable, role, onLog });
}

async function openEmbeddedPool(
  dataDir: string,
  options: {
    poolSize: number;
    role: string | undefined;
    onLog: (message: string) => void;
    endsServer: boolean;
  },
): Promise<pg.Pool> {
  const { poolSize, role, onLog, endsServer } = options;
  const serverFolder = await openServerFolder(path.join(path.resolve(dataDir), "database")).catch(
    (error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new DatabaseUnavailableError(`The data folder ${dataDir} cannot be used: ${reason}`, {
        cause: error,
      });
    },
  );
  await ensureMoved(serverFolder, onLog);
  const pool = createPool({
    Client: await createLocalClient(serverFolder, onLog),
    host: serverFolder.socketFolder,
    port: socketPort,
    user: "postgres",
    database: "postgres",
    max: poolSize,
    // The server ends with its last client, so connections stay open as long as this process runs.
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: 60_000,
    query_timeout: 60_000,
    statement_timeout: 60_000,
    ...(role !== undefined && {
      async onConnect(client) {
        await client.query(`SET ROLE "${role}"`);
      },
    }),
  });
  try {
    // A killed server accepts connections until the kernel has freed its memory, then resets them. The next
    // connection starts a new server.
    await pRetry(() => pool.query("SELECT 1"), {
      retries: 5,
      minTimeout: 100,
      shouldRetry: ({ error }) =>
        !(error instanceof DatabaseUnavailableError) && isDatabaseUnavailable(error),
    });
  } catch (error) {
    await pool.end();
    throw error;
  }
  if (endsServer) {
    const end = pool.end.bind(pool);
    pool.end = () => endWithServer(pool, serverFolder, end);
  }
  return pool;
}

type ServerPoolOptions = {
  poolSize: number;
  variable: keyof typeof alternatives;
  role: string | undefined;
  onLog: (message: string) => void;
};

async function openServerPool(databaseUrl: string, options: ServerPoolOptions): Promise<pg.Pool> {
  try {
    return await openConnectedPool(databaseUrl, options, {
      statement_timeout: 60_000,
      idle_in_transaction_session_timeout: 30_000,
    });
  } catch (error) {
    // pgbouncer rejects parameters of PostgreSQL that `ignore_startup_parameters` does not list.
    if (!String(error).includes("unsupported startup parameter")) throw error;
    return await openConnectedPool(databaseUrl, options, { query_timeout: 60_000 });
  }
}

async function openConnectedPool(
  databaseUrl: string,
  { poolSize, variable, role, onLog }: ServerPoolOptions,
  timeouts: pg.PoolConfig,
): Promise<pg.Pool> {
  const pool = createPool({
    connectionString: databaseUrl,
    max: poolSize,
    connectionTimeoutMillis: 15_000,
    ...timeouts,
    ...keepAlive,
    async onConnect(client) {
      endWhenLost(client, databaseUrl);
      // Prisma's adapter drops the offset of a timestamp that it reads, so sessions must be in UTC.
      await client.query(`SET TIME ZONE 'UTC'${role === undefined ? "" : `; SET ROLE "${role}"`}`);
    },
  });
  try {
    await pRetry(() => pool.query("SELECT 1"), {
      ...startPatience,
      shouldRetry: ({ error }) => findCause(error) !== undefined,
      onFailedAttempt({ error, attemptNumber }) {
        const cause = findCause(error);
        if (attemptNumber === 1 && cause !== undefined)
          onLog(`PostgreSQL at ${variable} ${cause.state}. It is tried again for half a minute.`);
      },
    });
  } catch (error) {
    await pool.end();
    const reason = error instanceof Error ? error.message || String(error) : String(error);
    const cause = findCause(error);
    throw new DatabaseUnavailableError(
      cause === undefined
        ? `PostgreSQL at ${variable} does not respond: ${reason}. Check the address, or unset ${variable} to use ${alternatives[variable]}.`
        : `PostgreSQL at ${variable} ${cause.state}: ${reason}. ${cause.remedy(poolSize)}`,
      { cause: error },
    );
  }
  return pool;
}

// 32 s in all.
const startPatience = { retries: 8, minTimeout: 250, factor: 2, maxTimeout: 8_000 };

/** States of a server that end by themselves, by SQLSTATE. */
const passingStates = {
  "53300": {
    state: "has no free connection",
    remedy: (poolSize: number) =>
      `Raise max_connections of the server, or run fewer processes: this one uses up to ${poolSize} connections.`,
  },
  "57P03": {
    state: "is starting or recovering",
    remedy: () => "Start Koma again when the server accepts connections.",
  },
};

function findCause(error: unknown): (typeof passingStates)[keyof typeof passingStates] | undefined {
  return Object.entries(passingStates).find(([sqlState]) => hasSqlState(error, sqlState))?.[1];
}

const alternatives = {
  DATABASE_URL: "the embedded database",
  KOMA_BOT_DATABASE_URL: "the database of the API",
};
