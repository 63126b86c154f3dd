import type { Configuration } from "@koma/config";
import type { Database, Percentiles, TimeUnit } from "@koma/database";
import type { LibrarySearch } from "@koma/library";
import type { FastifyInstance, RouteShorthandOptions } from "fastify";
import { presentAnilistInfo, toTraceMoeSimilarity } from "./present-search.ts";
import { titleSimilarity } from "./title-similarity.ts";
import { TraceMoeError } from "./trace-moe-error.ts";

type Options = {
  database: Database;
  config: Pick<Configuration, "KOMA_PUBLIC_LIBRARY">;
  getSearch: () => LibrarySearch | undefined;
  now: () => Date;
};

const hourMs = 3_600_000;
/** What trace.moe returns of each period. */
const rangesMs: Record<TimeUnit, number> = { minute: hourMs, hour: 72 * hourMs, day: 60 * 24 * hourMs };
/** Statistics and totals read many rows, and the endpoints are public. */
const refreshMs = 30_000;
const mostAnime = 50;
const longestQuery = 200;

/** `/anilist`, `/status` and `/stats` of trace.moe. */
export function registerInformation(
  app: FastifyInstance,
  route: RouteShorthandOptions,
  options: Options,
): void {
  const { database, getSearch } = options;
  const remember = createMemory();

  app.get("/anilist", route, async (request) => {
    const { q } = request.query as { q?: unknown };
    if (!q) throw new TraceMoeError(400, "Missing search query parameter 'q'");
    const query = String(q).trim().slice(0, longestQuery);
    if (query === "") throw new TraceMoeError(400, "Search query cannot be empty");
    const found = await database.anime.search({ query, limit: mostAnime });
    const items = found.map((anime) => {
      const titles = [anime.titleRomaji, anime.titleEnglish, anime.titleNative, ...anime.synonyms];
      const rated = titles
        .flatMap((title) => title ?? [])
        .map((title) => ({ title, similarity: titleSimilarity(title, query) }))
        .toSorted((a, b) => b.similarity - a.similarity);
      const [best = { title: "", similarity: 0 }] = rated;
      return { id: anime.anilistId, ...best, anilist: presentAnilistInfo(anime) };
    });
    return items.toSorted((a, b) => b.similarity - a.similarity);
  });

  app.get("/status", route, async (request) => {
    const { id } = request.query as { id?: unknown };
    if (id !== undefined && id !== "") return await listFiles(String(id));
    return await remember("status", async () => {
      const [counted, updated] = await Promise.all([
        database.libraryContents.count(),
        database.libraryContents.lastIndexedAt(),
      ]);
      return {
        updated: updated?.toISOString() ?? null,
        rowCount: getSearch()?.frameCount() ?? 0,
        // Memory and disks of the machine are not public.
        ...{ memory: 0, memoryUsage: 0, storage: 0, storageFree: 0, storageAvailable: 0 },
        mediaCount: counted.episodes,
        mediaFramesTotal: counted.frames,
        mediaDurationTotal: counted.durationSeconds,
      };
    });
  });

  app.get("/stats", route, async (request) => {
    const { type, period } = request.query as { type?: unknown; period?: unknown };
    const unit = readPeriod(period);
    if (unit === undefined) throw new TraceMoeError(400, "Invalid period");
    if (type !== "traffic" && type !== "speed" && type !== "accuracy")
      throw new TraceMoeError(400, "Invalid type");
    requirePublic();
    const range = { unit, from: startOf(unit, options.now()) };
    return await remember(`${type} ${unit}`, async () => {
      if (type === "traffic") return (await database.searches.countByTime(range)).map(presentCount);
      const value = type === "speed" ? "duration" : "similarity";
      return (await database.searches.measureByTime({ ...range, value })).map(({ at, ...values }) => ({
        time: at.toISOString(),
        ...(type === "speed" ? values : toSimilarities(values)),
      }));
    });
  });

  async function listFiles(id: string) {
    if (!/^\d{1,9}$/.test(id)) throw new TraceMoeError(400, "Invalid param id: must be a number");
    requirePublic();
    const anime = await database.anime.findByAnilistId(Number(id));
    const episodes = anime === undefined ? [] : await database.episodes.list({ animeId: anime.id });
    return episodes
      .filter(({ contentHash }) => contentHash !== null)
      .map(({ fileName }) => ({ path: `${id}/${fileName}` }));
  }

  /** The names of files, and the times of searches, are for the operator of a library that is not public. */
  function requirePublic(): void {
    if (!options.config.KOMA_PUBLIC_LIBRARY) throw new TraceMoeError(403, "Forbidden");
  }

  function toSimilarities(values: Percentiles) {
    const thresholds = getSearch()?.thresholds ?? { absentBelow: 0, confidentAt: 1 };
    const entries = Object.entries(values).map(([name, similarity]) => {
      const isConfident = similarity >= thresholds.confidentAt;
      return [name, toTraceMoeSimilarity({ similarity, isConfident }, thresholds)];
    });
    return Object.fromEntries(entries);
  }
}

/** The period of a query; undefined for others. */
export function readPeriod(period: unknown): TimeUnit | undefined {
  return period === "minute" || period === "hour" || period === "day" ? period : undefined;
}

/** The time since which trace.moe describes a period. */
export function startOf(unit: TimeUnit, now: Date): Date {
  return new Date(now.getTime() - rangesMs[unit]);
}

/** The number of searches of a time by status. Koma stores those that succeeded. */
export function presentCount({ at, searches }: { at: Date; searches: number }) {
  const none = { 400: 0, 402: 0, 405: 0, 500: 0, 503: 0 };
  return { time: at.toISOString(), 200: searches, ...none, total: searches };
}

/** Returns a function that repeats the last result of a name for 30 seconds. */
function createMemory() {
  const known = new Map<string, { atMs: number; result: Promise<unknown> }>();
  return async function remember<T>(name: string, read: () => Promise<T>): Promise<T> {
    const atMs = performance.now();
    const before = known.get(name);
    if (before !== undefined && atMs - before.atMs < refreshMs) return (await before.result) as T;
    const result = read();
    known.set(name, { atMs, result });
    result.catch(() => known.delete(name));
    return await result;
  };
}
