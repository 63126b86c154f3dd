import { readFile } from "node:fs/promises";
import { deriveKey, fingerprintSecret, openAccounts, openSecret } from "@koma/accounts";
import type { Configuration } from "@koma/config";
import { backUpInThread, connectDatabase, type Database } from "@koma/database";
import {
  chooseWorkerCount,
  FfmpegMissingError,
  findFfmpeg,
  type LibrarySearch,
  openLibrary,
} from "@koma/library";
import { openLogOutput } from "@koma/process/log";
import { createRegistry, startMetricsServer } from "@koma/process/metrics";
import { samplePack } from "@koma/sample-library";
import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import { Registry } from "prom-client";
import { createApp } from "./app.ts";
import { type ScheduledBackups, scheduleBackups } from "./backups/scheduled-backups.ts";
import { readBaseUrl } from "./base-url.ts";
import { createIndexQueue } from "./indexing/index-queue.ts";
import { createApiMetrics } from "./metrics/api-metrics.ts";
import { addBackupGauge } from "./metrics/backup-gauge.ts";
import { listConditions } from "./notifications/conditions.ts";
import { sendNotification } from "./notifications/send-notification.ts";
import { watchConditions } from "./notifications/watch-conditions.ts";
import { createWorkerPreviews } from "./previews/worker-previews.ts";
import { createConfiguredUpstreams } from "./search/configured-upstreams.ts";

/** A listening server. Searches work after `ready` resolves and fail after `failed` resolves. */
export type Server = {
  url: string;
  /** The address of the metrics; undefined if they are not served. */
  metricsUrl: string | undefined;
  ready: Promise<void>;
  failed: Promise<Error>;
  close(): Promise<void>;
};

/**
 * Opens the database and the library and listens. The index loads while `/healthz` already responds. Throws
 * DatabaseUnavailableError, IndexUnavailableError, MigrationError, FfmpegPathError, PortTakenError and MetricsPortError, whose
 * messages describe the remedy.
 */
export async function openServer(config: Configuration): Promise<Server> {
  const closers: (() => Promise<unknown>)[] = [];
  // Closes resources in reverse order.
  const close = async () => {
    for (const closeOne of closers.splice(0).reverse()) await closeOne();
  };
  try {
    return { ...(await openParts(config, closers)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The port is in use; the message describes the remedy. */
export class PortTakenError extends Error {
  override readonly name = "PortTakenError";
}

async function openParts(
  config: Configuration,
  closers: (() => Promise<unknown>)[],
): Promise<Omit<Server, "close">> {
  let log: FastifyBaseLogger | undefined;
  const onLog = (message: string, level: "info" | "warn" = "warn") => {
    if (log === undefined) process.stderr.write(`${message}\n`);
    else log[level](message);
  };
  const dataDir = config.KOMA_DATA_DIR;
  const { FFMPEG_PATH: ffmpegPath, FFPROBE_PATH: ffprobePath } = config;
  const ffmpeg = await findFfmpeg({ ffmpegPath, ffprobePath }).catch((error: unknown) => {
    if (!(error instanceof FfmpegMissingError)) throw error;
    onLog(error.message);
    return () => Promise.reject(error);
  });
  const secret = await openSecret({ dataDir, environmentSecret: config.KOMA_SECRET });
  const database = await connectDatabase({
    dataDir,
    databaseUrl: config.DATABASE_URL,
    replicaUrls: config.DATABASE_REPLICA_URLS,
    onLog,
    endsServer: true,
    // The index takes a connection per search, two searches per thread, and one that adds episodes.
    ...(config.KOMA_INDEX === "postgres"
      ? { poolSize: 6 + 2 * (config.KOMA_ENGINE_WORKERS ?? chooseWorkerCount()) }
      : {}),
  });
  closers.push(() => database.close());
  let listening: FastifyInstance | undefined;
  const accounts = openAccounts({
    database,
    secret,
    log: onLog,
    onSecurityEvent(event) {
      log?.info({ security: event }, "security event");
      metrics.securityEvents.inc({ event: event.event });
    },
    configuration: config,
    baseUrl: () => readBaseUrl(config, listening),
    trustedOrigins: config.KOMA_TRUSTED_ORIGINS,
  });
  closers.push(() => accounts.close());
  await accounts.load();
  const library = await openLibrary({
    database,
    dataDir,
    tools: ffmpeg,
    samplePack,
    onLog,
    index: config.KOMA_INDEX,
    engineWorkers: config.KOMA_ENGINE_WORKERS,
  });
  closers.push(() => library.close());
  const previews = library.openPreviews({
    // On the embedded database, all processes are on this machine.
    ...(database.kind !== "embedded" && {
      fetchPreview: createWorkerPreviews({
        workers: database.indexQueue,
        key: deriveKey(secret, "worker-preview"),
        onLog,
      }),
    }),
  });
  closers.push(() => previews.close());
  const metrics = createApiMetrics(
    config.KOMA_METRICS_PORT === undefined ? new Registry() : createRegistry(),
  );
  const indexQueue = createIndexQueue({ library, metrics: metrics.indexing, onLog });
  closers.push(() => indexQueue.close());

  let search: LibrarySearch | undefined;
  const { promise: failed, resolve: reportFailure } = Promise.withResolvers<Error>();
  const stopLoading = new AbortController();
  const version = await readVersion();
  const upstreams = createConfiguredUpstreams(config, version, onLog);
  const app = await createApp({
    config,
    database,
    accounts,
    previews,
    library,
    indexQueue,
    secret,
    getSearch: () => search,
    metrics,
    upstreams,
    version,
    // Standard output contains only the `ready` line.
    logger: {
      level: config.LOG_LEVEL,
      stream: await openLogOutput({ output: process.stderr, format: { ignore: "pid,hostname,reqId" } }),
    },
  });
  log = app.log;
  listening = app;
  const loading = { done: Promise.resolve() };
  closers.push(async () => {
    stopLoading.abort();
    await loading.done.catch(() => {});
  });
  closers.push(() => app.close());
  closers.push(collectGarbageHourly(database, config, app.log));
  const backups = openBackups(config, { database, secret, onLog });
  if (backups !== undefined) {
    closers.push(() => backups.close());
    addBackupGauge(metrics.registry, backups);
  }
  const { KOMA_NOTIFY_URL: notifyUrl, KOMA_NOTIFY_FORMAT: format } = config;
  if (notifyUrl !== undefined) {
    const stopWatching = watchConditions({
      conditions: listConditions({ dataDir, database, indexQueue, backups, upstreams }),
      send: (notification) =>
        sendNotification({ url: notifyUrl, format }, { ...notification, site: readBaseUrl(config, app) }),
      onLog,
    });
    closers.push(stopWatching);
  }

  const metricsUrl = await serveMetrics(config, metrics.registry, closers);
  if (metricsUrl !== undefined) app.log.info(`metrics: ${metricsUrl}`);
  const url = await listen(app, config);
  loading.done = (async () => {
    const opened = await library.openSearch({
      follow: true,
      onProgress: ({ done, total }) => app.log.info(`index: ${done} of ${total} episodes`),
      signal: stopLoading.signal,
    });
    search = opened;
    void previews.backFillStills();
    opened.failed.then((error) => {
      search = undefined;
      app.log.fatal(`Searches failed permanently, so the process ends: ${error.message}`);
      reportFailure(error);
    });
  })();
  return { url, metricsUrl, ready: loading.done, failed };
}

async function serveMetrics(
  { KOMA_METRICS_PORT: port, KOMA_METRICS_HOST: host }: Configuration,
  registry: Registry,
  closers: (() => Promise<unknown>)[],
): Promise<string | undefined> {
  if (port === undefined) return undefined;
  const server = await startMetricsServer({ port, host, variable: "KOMA_METRICS_PORT", registry });
  closers.push(() => server.close());
  return server.url;
}

async function listen(app: FastifyInstance, config: Configuration): Promise<string> {
  try {
    await app.listen({ host: config.HOST, port: config.PORT });
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    const address = `${config.HOST}:${config.PORT}`;
    if (error.code === "EADDRINUSE") {
      throw new PortTakenError(`${address} is in use by another program. Stop it, or choose another PORT.`);
    }
    if (error.code === "EACCES" || error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND") {
      throw new PortTakenError(
        `The server cannot listen on ${address} (${error.code}). Choose another HOST or PORT.`,
      );
    }
    throw error;
  }
  return readBaseUrl({ ...config, KOMA_BASE_URL: undefined }, app);
}

function openBackups(
  config: Configuration,
  parts: { database: Database; secret: string; onLog: (message: string, level: "info" | "warn") => void },
): ScheduledBackups | undefined {
  const { KOMA_BACKUP_FOLDER: folder, KOMA_BACKUP_AT: at, KOMA_BACKUP_KEEP: retained } = config;
  if (folder === undefined) return undefined;
  const extras = { secretFingerprint: fingerprintSecret(parts.secret) };
  const source = { dataDir: config.KOMA_DATA_DIR, databaseUrl: config.DATABASE_URL };
  const backUp = (signal: AbortSignal) => backUpInThread({ ...source, folder, retained, extras, signal });
  return scheduleBackups({ ...parts, folder, at, backUp });
}

/** Deletes expired rows now and once per hour. Returns a function that stops it. */
function collectGarbageHourly(
  database: Database,
  { KOMA_HISTORY_DAYS: historyDays, KOMA_MISSING_DAYS: missingDays }: Configuration,
  log: FastifyBaseLogger,
): () => Promise<void> {
  let work = Promise.resolve();
  const collect = () => {
    work = database
      .collectGarbage({ historyDays, missingDays })
      .catch((error: unknown) => log.warn({ err: error }, "expired rows stay"));
  };
  const timer = setInterval(collect, 3_600_000).unref();
  collect();
  return async () => {
    clearInterval(timer);
    await work;
  };
}

async function readVersion(): Promise<string> {
  const written = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8"));
  return String(written.version);
}
