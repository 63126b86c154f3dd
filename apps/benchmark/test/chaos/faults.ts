import { open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { IndexLoad } from "./index-load.ts";
import type { System } from "./open-system.ts";

const durationMs = 5000;
const startMs = 60_000;
const daySeconds = 86_400;

/** Disturbs the system and ends the disturbance. */
export type Fault = (system: System, indexing: IndexLoad) => Promise<void>;

export const faults: Record<string, Fault> = {
  "API killed": ({ api }) => api.kill(),
  "bot killed": ({ bot }) => bot.kill(),
  "indexer killed": (_, indexing) => indexing.kill(),
  "PostgreSQL killed": async ({ server }) => {
    await server.kill();
    await startServer(server);
  },
  "network to PostgreSQL cut": async ({ proxy }) => {
    proxy.cut();
    await wait(durationMs);
    proxy.restore();
  },
  "network to PostgreSQL stalled": async ({ proxy }) => {
    proxy.stall();
    await wait(durationMs);
    proxy.restore();
  },
  "index cache corrupt": ({ api, dataDir }) => api.kill(() => corruptIndex(dataDir)),
  "index cache removed": ({ api, dataDir }) =>
    api.kill(() => rm(join(dataDir, "index"), { recursive: true, force: true })),
  "clock a day ahead": (system) => moveClock(system, daySeconds),
  "clock an hour back": (system) => moveClock(system, -3600),
  "disk full": async (system) => {
    const ballast = join(system.folder, "ballast");
    await fill(ballast);
    await wait(durationMs);
    await rm(ballast);
    // PostgreSQL ends when it cannot write its log.
    await startServer(system.server);
  },
};

/** Starts PostgreSQL unless it runs; processes of a killed one end within seconds. */
async function startServer(server: System["server"]): Promise<void> {
  const endMs = performance.now() + startMs;
  while (!server.isRunning()) {
    try {
      await server.start();
    } catch (error) {
      if (performance.now() > endMs) throw error;
      await wait(500);
    }
  }
}

async function moveClock({ moveClock: move }: System, seconds: number): Promise<void> {
  await move(seconds);
  await wait(durationMs);
  await move(0);
}

/** Changes bytes in the middle of every file of the index. */
async function corruptIndex(dataDir: string): Promise<void> {
  const folder = join(dataDir, "index");
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile() && !entry.name.endsWith(".json"));
  if (files.length === 0) throw new Error("There is no index to corrupt.");
  for (const { parentPath, name } of files) {
    const file = await open(join(parentPath, name), "r+");
    const { size } = await file.stat();
    await file.write(Buffer.from("damaged"), 0, 7, Math.floor(size / 2));
    await file.close();
  }
}

/** Writes until no space is left. */
async function fill(path: string): Promise<void> {
  const block = Buffer.alloc(1024 * 1024);
  const file = await open(path, "w");
  try {
    for (;;) await file.write(block);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  } finally {
    await file.close();
  }
}
