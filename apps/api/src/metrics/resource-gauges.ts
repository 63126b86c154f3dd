import { statfs } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import type { Configuration } from "@koma/config";
import type { Database } from "@koma/database";
import type { LibrarySearch, Previews } from "@koma/library";
import { addQueueMetrics } from "@koma/library/metrics";
import { Counter, Gauge, type Registry } from "prom-client";
import type { SearchQueue } from "../search/search-queue.ts";
import type { UploadBudget } from "../search/upload-budget.ts";

type Resources = {
  config: Configuration;
  database: Database;
  getSearch: () => LibrarySearch | undefined;
  previews: Previews;
  queue: SearchQueue;
  videoQueue: SearchQueue;
  uploads: UploadBudget;
};

/**
 * Adds the gauges of searches, uploads, previews, database, queued videos and disk, which are read when Prometheus collects
 * them.
 */
export function addResourceGauges(registry: Registry, resources: Resources): void {
  addSearchGauges(registry, resources);
  addPreviewGauges(registry, resources);
  addDatabaseGauges(registry, resources);
  addQueueMetrics(registry, resources.database.indexQueue);
  addDiskGauges(registry, resources.config.KOMA_DATA_DIR);
}

function addSearchGauges(registry: Registry, resources: Resources): void {
  const { getSearch, queue, videoQueue, uploads } = resources;
  addStates(
    registry,
    "koma_search_queue",
    "Searches that wait for a worker, or for the decoding of another video, or run.",
    () => {
      const { waiting, running } = queue.status();
      return { waiting, waiting_for_video: videoQueue.status().waiting, running };
    },
  );
  addStates(
    registry,
    "koma_search_queue_limit",
    "The largest number of searches in these states; more are rejected.",
    () => {
      const { waiting, running } = queue.status().limits;
      return { waiting, waiting_for_video: videoQueue.status().limits.waiting, running };
    },
  );
  const ofEngine = (key: "workers" | "waiting" | "running") => getSearch()?.status().engine[key] ?? 0;
  const ofIndex = (key: "frames" | "episodes" | "memoryBytes") => getSearch()?.status().index[key] ?? 0;
  const add = (name: string, help: string, read: () => number) => addGauge(registry, name, help, read);
  add("koma_engine_workers", "Worker threads that describe and search images.", () => ofEngine("workers"));
  addStates(
    registry,
    "koma_engine_tasks",
    "Images and batches of frames that wait for a worker thread or run in one.",
    () => ({ waiting: ofEngine("waiting"), running: ofEngine("running") }),
  );
  add("koma_search_index_ready", "1 while the index is loaded and contains frames, else 0.", () =>
    getSearch()?.isReady() === true ? 1 : 0,
  );
  add("koma_search_index_frames", "Frames in the index.", () => ofIndex("frames"));
  add("koma_search_index_episodes", "Episodes in the index.", () => ofIndex("episodes"));
  add("koma_search_index_bytes", "Memory of the vectors and tables of the index.", () =>
    ofIndex("memoryBytes"),
  );
  add("koma_upload_bytes", "Memory of the images that are being received and searched.", () =>
    uploads.usedBytes(),
  );
  add("koma_upload_limit_bytes", "Memory that these images may take.", () => uploads.poolBytes);
}

function addPreviewGauges(registry: Registry, { previews }: Resources): void {
  addStates(
    registry,
    "koma_preview_jobs",
    "Stills and clips that wait to be created or are being created.",
    () => {
      const { waiting, running } = previews.status();
      return { waiting, running };
    },
  );
  addGauge(
    registry,
    "koma_preview_cache_bytes",
    "Size of the cached previews; 0 before the first one is requested.",
    () => previews.status().cache.bytes,
  );
  new Counter({
    name: "koma_preview_cache_requests_total",
    help: "Requested previews by result: hit, or miss for one that must be created.",
    registers: [registry],
    labelNames: ["result"],
    collect() {
      const { hits, misses } = previews.status().cache;
      this.reset();
      this.inc({ result: "hit" }, hits);
      this.inc({ result: "miss" }, misses);
    },
  });
}

function addDatabaseGauges(registry: Registry, { database, getSearch }: Resources): void {
  const registers = [registry];
  addStates(
    registry,
    "koma_database_connections",
    "Connections of the pool that are used or idle, and calls that wait for one.",
    () => {
      const { total, idle, waiting } = database.poolStatus();
      return { used: total - idle, idle, waiting };
    },
  );
  addStates(
    registry,
    "koma_database_replicas",
    "Replicas of the database that serve reads, and those that are skipped.",
    () => {
      const replicas = database.replicaStatus();
      const available = replicas.filter(({ isAvailable }) => isAvailable).length;
      return { available, skipped: replicas.length - available };
    },
  );
  new Gauge({
    name: "koma_database_replica_lag_seconds",
    help: "Lag of each replica, by its number in DATABASE_REPLICA_URLS; missing while it is unknown.",
    registers,
    labelNames: ["replica"],
    collect() {
      this.reset();
      for (const [index, { lagSeconds }] of database.replicaStatus().entries()) {
        if (lagSeconds !== undefined) this.set({ replica: String(index + 1) }, lagSeconds);
      }
    },
  });
  const ping = createReading(async () => {
    await database.ping();
    return true;
  }, 0);
  new Gauge({
    name: "koma_database_up",
    help: "1 if the database responds within a second, else 0.",
    registers,
    async collect() {
      this.set((await ping()) === true ? 1 : 0);
    },
  });
  addReading("koma_database_free_connections", "Connections that the server still permits.", () =>
    database.countFreeConnections(),
  );
  addReading(
    "koma_library_episodes",
    "Published episodes of the model of this process, which its index contains.",
    async () => getSearch()?.countReady(),
  );
  const readLedger = createReading(() => database.credits.sumByKind(), tableTtlMs);
  new Counter({
    name: "koma_credits_booked_total",
    help: "Credits in the ledger of all instances by kind: grant, purchase, spend, refund, reinstatement.",
    registers,
    labelNames: ["kind"],
    async collect() {
      const sums = await readLedger();
      if (sums === undefined) return;
      this.reset();
      for (const { kind, credits } of sums) this.inc({ kind }, credits);
    },
  });

  function addReading(name: string, help: string, read: () => Promise<number | undefined>): void {
    const readRecent = createReading(read, tableTtlMs);
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const value = await readRecent();
        this.reset();
        if (value !== undefined) this.set(value);
      },
    });
  }
}

function addDiskGauges(registry: Registry, dataDir: string): void {
  const registers = [registry];
  const readDisk = createReading(() => statfs(dataDir), 0);
  new Gauge({
    name: "koma_data_free_bytes",
    help: "Free space of the disk with the data folder.",
    registers,
    async collect() {
      const disk = await readDisk();
      if (disk !== undefined) this.set(disk.bavail * disk.bsize);
    },
  });
  new Gauge({
    name: "koma_data_size_bytes",
    help: "Size of the disk with the data folder.",
    registers,
    async collect() {
      const disk = await readDisk();
      if (disk !== undefined) this.set(disk.blocks * disk.bsize);
    },
  });
}

/** Adds a gauge of a value. */
function addGauge(registry: Registry, name: string, help: string, read: () => number): void {
  const collect = function (this: Gauge) {
    this.set(read());
  };
  new Gauge({ name, help, registers: [registry], collect });
}

/** Adds a gauge of one value for each state. */
function addStates(registry: Registry, name: string, help: string, read: () => Record<string, number>): void {
  const collect = function (this: Gauge<"state">) {
    for (const [state, value] of Object.entries(read())) this.set({ state }, value);
  };
  new Gauge({ name, help, registers: [registry], labelNames: ["state"], collect });
}

/** Tables are counted at most once per minute, because they grow. */
const tableTtlMs = 60_000;
const readingLimitMs = 1000;

/**
 * A function that reads a value, which is reused for `ttlMs`. It resolves to undefined when reading fails or
 * takes longer than a second, so that a database or disk that does not respond does not delay other metrics.
 */
function createReading<T>(read: () => Promise<T>, ttlMs: number): () => Promise<T | undefined> {
  let last: { atMs: number; value: T } | undefined;
  let running: Promise<T | undefined> | undefined;
  const readOnce = async () => {
    try {
      const value = await read();
      last = { atMs: performance.now(), value };
      return value;
    } catch {
      return undefined;
    } finally {
      running = undefined;
    }
  };
  return async () => {
    if (last !== undefined && performance.now() - last.atMs < ttlMs) return last.value;
    running ??= readOnce();
    const deadline = new AbortController();
    const late = wait(readingLimitMs, undefined, { signal: deadline.signal, ref: false });
    try {
      return await Promise.race([running, late.catch(() => undefined)]);
    } finally {
      deadline.abort();
    }
  };
}
