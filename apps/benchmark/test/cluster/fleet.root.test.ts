// Runs only with KOMA_TEST_CLUSTER, the folder of a cluster that deploy/test-cluster.sh started, and
// KOMA_TEST_CLUSTER_VIDEOS, a folder of short videos.

import { mkdir, readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { takeFrame } from "@koma/bot-core/testing/videos";
import { SearchResult } from "@koma/contract";
import pg from "pg";
import { describe, expect, test } from "vitest";
import type { Service } from "../chaos/supervise.ts";
import { type Cluster, useCluster } from "./open-cluster.ts";

const folder = process.env.KOMA_TEST_CLUSTER ?? "";
const videosDir = process.env.KOMA_TEST_CLUSTER_VIDEOS ?? "";
const limitSeconds = 10;
const apiHosts = ["koma-1", "koma-2"];
const workerHosts = ["worker-1", "worker-2", "worker-3"];

type Published = { path: string; title: string; number: string; publishedAtMs: number };

describe.skipIf(folder === "" || videosDir === "")("a fleet (needs KOMA_TEST_CLUSTER_VIDEOS)", () => {
  test("each video is indexed once and found by all APIs, with killed workers", {
    timeout: 3_600_000,
  }, async () => {
    const cluster = useCluster(folder);
    await cluster.settle();
    const videos = (await readdir(videosDir)).map((name) => join(videosDir, name));
    const stills = new Map<string, Uint8Array<ArrayBuffer>>();
    await mkdir(join(folder, "stills"), { recursive: true });
    for (const video of videos) {
      const file = join(folder, "stills", `${basename(video)}.jpg`);
      await readFile(file).catch(() => takeFrame(video, 1.2, file));
      stills.set(video, new Uint8Array(await readFile(file)));
    }
    const client = new pg.Client({ connectionString: cluster.databaseUrl });
    await cluster.koma(["index", "--queue", videosDir]);
    const apis = apiHosts.map((host) => cluster.openApi(host));
    await client.connect();
    for (const api of apis) await expect.poll(() => api.isServing(), { timeout: 300_000 }).toBe(true);
    const workers = workerHosts.map((host) => cluster.openWorker(host));
    const seen = new Set<string>();
    const disturbances = listDisturbances();
    const finders = apiHosts.map((host) => createFinder(host, stills));
    const startedMs = performance.now();
    try {
      while (seen.size < videos.length) {
        for (const published of await listPublished(client, [...seen])) {
          seen.add(published.path);
          for (const finder of finders) finder.add(published);
        }
        const [next] = disturbances;
        if (next !== undefined && seen.size > videos.length * next.atShare) {
          disturbances.shift();
          await next.inject(cluster, workers);
          console.log(`${next.name} after ${seen.size} videos`);
        }
        await wait(200);
      }
      console.log(`${seen.size} videos indexed in ${((performance.now() - startedMs) / 1000).toFixed(0)} s`);
      await Promise.all(finders.map((finder) => finder.finish()));
      for (const { host, found, rejected, latestMissSeconds } of finders) {
        const sorted = found.toSorted((x, y) => x - y);
        const [median, p95] = [0.5, 0.95].map((part) => sorted[Math.floor(part * (sorted.length - 1))]);
        console.log(
          `${host}: ${found.length} found, seconds after the commit: median ${median?.toFixed(1)}, p95 ${p95?.toFixed(1)}; ` +
            `latest search without it began after ${latestMissSeconds().toFixed(1)} s; rejected: ${rejected()}`,
        );
      }
      const indexed = workers.map((worker) => listIndexed(worker.log()));
      console.log(`indexed by each worker: ${indexed.map((files) => files.length).join(", ")}`);
      expect(new Set(indexed.flat()).size).toBe(indexed.flat().length);
      const count = videos.length;
      expect(await countEpisodes(client)).toEqual({
        episodes: count,
        sets: count,
        indexed: count,
        queued: 0,
      });
      for (const finder of finders) {
        expect(finder.found).toHaveLength(count);
        expect(finder.latestMissSeconds()).toBeLessThan(limitSeconds);
      }
      expect(apis.flatMap((api) => api.unexpectedEnds)).toEqual([]);
    } finally {
      for (const service of [...apis, ...workers]) await service.stop();
      await client.end();
    }
  });
});

/** Searches the published videos through one API, one at a time and the newest first, until all are found. */
function createFinder(host: string, stills: ReadonlyMap<string, Uint8Array<ArrayBuffer>>) {
  const open: Published[] = [];
  const found: number[] = [];
  let rejected = 0;
  let latestMissSeconds = 0;
  let isLast = false;
  const working = work();

  async function work(): Promise<void> {
    while (!isLast || open.length > 0) {
      const next = open.pop();
      if (next === undefined || !(await search(next))) await wait(200);
    }
  }

  /** Returns false when the video is not found yet; it is searched again after the others. */
  async function search(video: Published): Promise<boolean> {
    const body = new FormData();
    body.append("image", new Blob([stills.get(video.path) ?? ""], { type: "image/jpeg" }), "image.jpg");
    const beganMs = Date.now();
    const response = await fetch(`http://${host}:3000/api/anime/search`, { method: "POST", body }).catch(
      () => {},
    );
    const result = SearchResult.safeParse(await response?.json());
    const isFound = result.data?.matches.some(
      ({ anime, episode }) => anime.title.romaji === video.title && String(episode?.number) === video.number,
    );
    if (isFound) {
      found.push((Date.now() - video.publishedAtMs) / 1000);
      return true;
    }
    if (result.success)
      latestMissSeconds = Math.max(latestMissSeconds, (beganMs - video.publishedAtMs) / 1000);
    else rejected += 1;
    open.unshift(video);
    return false;
  }

  return {
    host,
    /** The seconds between the commit of each video and its first match. */
    found,
    rejected: () => rejected,
    /** The time between the commit of a video and the latest search that did not find it. */
    latestMissSeconds: () => latestMissSeconds,
    add: (video: Published) => void open.push(video),
    async finish(): Promise<void> {
      isLast = true;
      await working;
    },
  };
}

type Disturbance = {
  name: string;
  /** The share of the videos that are indexed before. */
  atShare: number;
  inject: (cluster: Cluster, workers: readonly Service[]) => Promise<void>;
};

function listDisturbances(): Disturbance[] {
  return [
    { name: "worker 1 killed", atShare: 0.2, inject: async (_, [worker]) => await worker?.kill() },
    { name: "worker 2 killed", atShare: 0.4, inject: async (_, [, worker]) => await worker?.kill() },
    {
      name: "worker 3 separated from the database",
      atShare: 0.6,
      inject: (cluster) => cluster.cut("worker-3", ["haproxy"]),
    },
    {
      name: "worker 3 connected again",
      atShare: 0.8,
      inject: (cluster) => cluster.join("worker-3", ["haproxy"]),
    },
  ];
}

/** The indexed videos, with the time of their commit as the database reports it. */
async function listPublished(client: pg.Client, known: readonly string[]): Promise<Published[]> {
  const { rows } = await client.query<Published>(
    `SELECT e."path", a."titleRomaji" AS "title", e."number",
       extract(epoch FROM e."indexedAt")::float8 * 1000 AS "publishedAtMs"
     FROM "Episode" e JOIN "Anime" a ON a."id" = e."animeId"
     JOIN "DescriptorSet" d ON d."episodeId" = e."id" AND d."seq" IS NOT NULL
     WHERE e."path" LIKE $2 AND e."path" <> ALL($1)`,
    [known, `${videosDir}/%`],
  );
  return rows;
}

async function countEpisodes(client: pg.Client) {
  const { rows } = await client.query(
    `SELECT count(DISTINCT e."id")::int AS "episodes", count(d.*)::int AS "sets", count(s.*)::int AS "indexed",
       (SELECT count(*)::int FROM "QueuedVideo") AS "queued"
     FROM "Episode" e LEFT JOIN "DescriptorSet" d ON d."episodeId" = e."id"
     LEFT JOIN "vectors"."Set" s ON s."setId" = d."id" WHERE e."path" LIKE $1`,
    [`${videosDir}/%`],
  );
  return rows[0];
}

/** The videos that a worker reported as indexed. */
function listIndexed(log: string): string[] {
  const lines = log.split("\n").filter((line) => line.startsWith('{"kind":"indexed"'));
  return lines.map((line) => (JSON.parse(line) as { file: string }).file);
}
