import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { Prisma, PrismaClient } from "../generated/client.ts";
import { createPool, keepAlive } from "./create-pool.ts";
import { isDatabaseUnavailable } from "./database-errors.ts";
import type { QueryReader } from "./query.ts";
import { checkTimeoutMs, openCheckPool, readPosition } from "./read-position.ts";

/** A replica is skipped when it lacks what the primary had this long ago. */
const lagLimitMs = 10_000;
const checkIntervalMs = 2_000;
/** A read that takes longer on a replica is repeated elsewhere. */
const readTimeoutMs = 10_000;

/** Replicas of the primary, numbered from 1 in the order of their addresses. */
export type Replicas = {
  /**
   * Runs a read on an available replica, in turn, and on the next one or the primary when it fails. The rows
   * can be as old as the limit of the lag.
   */
  read: QueryReader;
  /** The same for a read by Prisma, which can run several times. */
  readWith: Reader;
  status(): ReplicaStatus[];
  /** Ends the checks and closes the connections after the reads in progress. */
  close(): Promise<void>;
};

/**
 * Runs a read of rows that can be some seconds old. A result of a replica that is not complete, because rows
 * are too new for it, is read again from the primary.
 */
export type Reader = <Result>(
  read: (prisma: PrismaClient) => Promise<Result>,
  isComplete?: (result: Result) => boolean,
) => Promise<Result>;

export type ReplicaStatus = {
  isAvailable: boolean;
  /** The age of the newest position of the primary that the replica has; undefined while it is unknown. */
  lagSeconds: number | undefined;
};

/** The connections of one server, which Prisma shares. */
type Source = { pool: pg.Pool; prisma: PrismaClient };

/** A position in the write-ahead log of the primary, and the time at which a check read it. */
type Sample = { position: number; atMs: number };

/**
 * Opens the replicas at `addresses`, and checks them every 2 s without a delay of the caller. The first check
 * makes them available. Without addresses, all reads go to the primary.
 */
export function openReplicas(options: {
  primary: Source;
  primaryUrl: string;
  addresses: readonly string[];
  poolSize: number;
  onLog: (message: string) => void;
}): Replicas {
  const { primary, primaryUrl, addresses, poolSize, onLog } = options;
  const checksOfPrimary = openCheckPool(primaryUrl);
  const replicas = addresses.map((address, index) => ({
    number: index + 1,
    reads: openSource(address, poolSize),
    checks: openCheckPool(address),
    isAvailable: undefined as boolean | undefined,
    lagSeconds: undefined as number | undefined,
  }));
  type Replica = (typeof replicas)[number];
  let samples: Sample[] = [];
  let cluster: string | undefined;
  let nextReplica = 0;

  function use(replica: Replica): void {
    if (replica.isAvailable === false) onLog(`Replica ${replica.number} of the database is used again.`);
    replica.isAvailable = true;
  }

  function skip(replica: Replica, reason: string): void {
    if (replica.isAvailable !== false) {
      onLog(`Replica ${replica.number} of the database is skipped: ${reason}. Reads go to the others.`);
    }
    replica.isAvailable = false;
  }

  async function checkPrimary(): Promise<void> {
    try {
      const { position, cluster: read } = await readPosition(checksOfPrimary);
      const atMs = performance.now();
      cluster = read;
      samples = [...samples.filter((sample) => sample.atMs >= atMs - 2 * lagLimitMs), { position, atMs }];
    } catch {
      // Replicas that have the last known position remain in use.
    }
  }

  async function checkReplica(replica: Replica): Promise<void> {
    try {
      const { position, cluster: read } = await readPosition(replica.checks);
      const lagMs = measureLag(samples, position);
      replica.lagSeconds = lagMs === undefined ? undefined : lagMs / 1000;
      if (read !== cluster) skip(replica, "it is not a replica of the database at DATABASE_URL");
      else if (lagMs === undefined || lagMs > lagLimitMs) {
        skip(replica, `it is more than ${lagLimitMs / 1000} s behind the primary, or its lag is unknown`);
      } else use(replica);
    } catch (error) {
      replica.lagSeconds = undefined;
      skip(replica, reasonOf(error));
    }
  }

  const checks = repeat(async () => {
    await checkPrimary();
    // Without any position of the primary, no lag can be measured.
    if (cluster !== undefined) await Promise.all(replicas.map(checkReplica));
  }, replicas.length > 0);

  async function readFrom<Result>(
    read: (source: Source) => Promise<Result>,
    isComplete: (result: Result) => boolean = () => true,
  ): Promise<Result> {
    const available = replicas.filter(({ isAvailable }) => isAvailable);
    const first = available.length === 0 ? 0 : nextReplica++ % available.length;
    for (const replica of [...available.slice(first), ...available.slice(0, first)]) {
      try {
        const result = await read(replica.reads);
        if (isComplete(result)) return result;
        break;
      } catch (error) {
        // A replica that rejects a statement, as for a conflict with its recovery, can serve the next read.
        if (!isRejection(error)) skip(replica, reasonOf(error));
      }
    }
    return await read(primary);
  }

  return {
    read: async <Row extends pg.QueryResultRow>(
      sql: string,
      values: unknown[],
      isComplete?: (rows: Row[]) => boolean,
    ) => await readFrom(async ({ pool }) => (await pool.query<Row>(sql, values)).rows, isComplete),
    readWith: async (read, isComplete) => await readFrom(({ prisma }) => read(prisma), isComplete),
    status: () =>
      replicas.map(({ isAvailable, lagSeconds }) => ({ isAvailable: isAvailable === true, lagSeconds })),
    async close() {
      await checks.stop();
      await Promise.all(replicas.map(({ reads }) => reads.prisma.$disconnect()));
      const pools = [checksOfPrimary, ...replicas.flatMap(({ checks, reads }) => [checks, reads.pool])];
      await Promise.all(pools.map((pool) => pool.end()));
    },
  };
}

function openSource(connectionString: string, poolSize: number): Source {
  const pool = createPool({
    connectionString,
    max: poolSize,
    connectionTimeoutMillis: checkTimeoutMs,
    statement_timeout: readTimeoutMs,
    query_timeout: readTimeoutMs,
    ...keepAlive,
  });
  return { pool, prisma: new PrismaClient({ adapter: new PrismaPg(pool) }) };
}

/** Whether the server responded with an error. Prisma does not pass on the class of the error of pg. */
function isRejection(error: unknown): boolean {
  const isResponse =
    error instanceof pg.DatabaseError || error instanceof Prisma.PrismaClientKnownRequestError;
  return isResponse && !isDatabaseUnavailable(error);
}

/**
 * Returns 0 for a replica with the newest sample, otherwise the age of the newest sample that it has. Timestamps
 * of transactions (`pg_last_xact_replay_timestamp`) would report a lag while the primary is idle.
 */
function measureLag(samples: readonly Sample[], position: number): number | undefined {
  const newest = samples.findLast((sample) => sample.position <= position);
  if (newest === undefined) return undefined;
  return newest === samples.at(-1) ? 0 : performance.now() - newest.atMs;
}

/** Runs `work` at once and again after each pause, never twice at a time, until `stop`. */
function repeat(work: () => Promise<void>, isEnabled: boolean): { stop: () => Promise<void> } {
  let isStopped = !isEnabled;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const run = () => {
    if (isStopped) return;
    running = work().then(() => {
      if (!isStopped) timer = setTimeout(run, checkIntervalMs).unref();
    });
  };
  run();
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message || String(error) : String(error);
}
