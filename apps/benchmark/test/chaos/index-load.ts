import { execFile } from "node:child_process";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { type Running, start } from "@koma/bot-core/testing/run";
import { SearchResult } from "@koma/contract";
import { findFfmpeg } from "@koma/media";
import pg from "pg";
import { expect } from "vitest";
import type { System } from "./open-system.ts";

const run = promisify(execFile);
const pauseMs = 3000;
const maximum = 40;

export type IndexLoad = ReturnType<typeof startIndexing>;

/** Adds an episode every few seconds and indexes the folder after each one. */
export function startIndexing(system: System) {
  const { videosDir, komaFile, environment } = system;
  const stopping = new AbortController();
  const added: { title: string; video: string }[] = [];
  const acknowledged = new Set<string>();
  let running: Running | undefined;
  let kills = 0;
  const working = work();

  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      if (added.length < maximum) await add(added.length + 1);
      await index();
      await wait(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  async function add(number: number): Promise<void> {
    const title = `Chaos ${String.fromCharCode(64 + number)}`;
    const video = join(videosDir, `${title} - 01.mp4`);
    const [x, y] = [-0.75 + 0.01 * number, 0.05 + 0.02 * number];
    const source = `mandelbrot=s=320x240:r=12:start_x=${x}:start_y=${y},hue=h=${number * 47}`;
    // The indexer never sees a part of a file.
    const draft = join(videosDir, "..", "draft.mp4");
    try {
      await draw(source, draft);
      await rename(draft, video);
      added.push({ title, video });
    } catch {
      // The disk is full: the next turn tries again.
    }
  }

  async function index(): Promise<number | null> {
    const started = start([komaFile, "index", "--json", videosDir], environment);
    running = started;
    const { code, stdout } = await started.ended;
    for (const line of stdout.split("\n").filter(Boolean)) {
      const event = JSON.parse(line) as { kind?: string; file?: string };
      if (event.kind === "indexed" && event.file !== undefined) acknowledged.add(event.file);
    }
    return code;
  }

  return {
    added,
    acknowledged,
    kills: () => kills,
    async kill(): Promise<void> {
      if (running === undefined || running.child.exitCode !== null) return;
      kills += 1;
      await running.stop("SIGKILL");
    },
    /** Indexes what is left; returns the exit code. */
    async stop(): Promise<number | null> {
      stopping.abort();
      await working;
      return await index();
    },
    /** Compares the added videos, the acknowledged ones, the episodes and the frames that the API searches. */
    async checkLibrary(): Promise<void> {
      const { rows } = await readRows<{ path: string; frameCount: number }>(
        system.databaseUrl,
        `SELECT "path", "frameCount" FROM "Episode" WHERE "state" = 'ready'`,
      );
      const stored = rows.map(({ path }) => path);
      expect(stored).toEqual(expect.arrayContaining([...acknowledged, ...added.map(({ video }) => video)]));
      expect(new Set(stored).size).toBe(stored.length);
      const frames = rows.reduce((sum, { frameCount }) => sum + frameCount, 0);
      const searched = () => searchAsGuest(system);
      await expect.poll(async () => (await searched()).frameCount).toBe(frames);
    },
  };
}

async function draw(source: string, file: string): Promise<void> {
  const { ffmpegPath } = await findFfmpeg();
  const output = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", file];
  await run(ffmpegPath, ["-v", "error", "-nostdin", "-y", "-f", "lavfi", "-t", "3", "-i", source, ...output]);
}

async function searchAsGuest({ url, images }: System): Promise<SearchResult> {
  const body = new FormData();
  body.append("image", new Blob(images.slice(0, 1), { type: "image/jpeg" }), "image.jpg");
  const response = await fetch(`${url}/api/anime/search`, { method: "POST", body });
  return SearchResult.parse(await response.json());
}

async function readRows<Row extends pg.QueryResultRow>(
  connectionString: string,
  sql: string,
): Promise<pg.QueryResult<Row>> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await client.query<Row>(sql);
  } finally {
    await client.end();
  }
}
