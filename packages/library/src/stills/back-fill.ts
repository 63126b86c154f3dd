import { stat } from "node:fs/promises";
import type { Episode, EpisodeContent } from "@koma/database";
import { decodeFrameTable } from "@koma/engine";
import { sharp } from "@koma/image";
import { extractStill, FfmpegMissingError, UnreadableVideoError } from "@koma/media";
import type { IndexingParts } from "../indexing/describe-video.ts";
import { compressStill, fitStills, storedStillWidth } from "./fit-stills.ts";
import { findMiddle } from "./still-collector.ts";
import { encodeStillSet, type ShotStill } from "./still-set.ts";

export type BackFillParts = Pick<IndexingParts, "database" | "getTools" | "stills" | "modelId" | "onLog">;

/**
 * Creates missing stills of shots: those of episodes that an earlier version indexed, and lost or damaged
 * ones. It processes one episode at a time with one ffmpeg process of the lowest priority. Instances on one
 * PostgreSQL take the episodes in random order, so they seldom create the same stills.
 */
export function createBackFill({ database, getTools, stills, modelId, onLog }: BackFillParts) {
  const closing = new AbortController();
  const failed = new Set<string>();
  let waiting: string[] = [];
  let running: Promise<void> | undefined;
  let finding: Promise<void> | undefined;

  async function work(): Promise<void> {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      if (closing.signal.aborted) return;
      try {
        await fill(id);
      } catch (error) {
        if (closing.signal.aborted) return;
        if (error instanceof FfmpegMissingError) {
          // No video can be read. The API has logged it at its start.
          waiting = [];
          return;
        }
        // Another attempt in this process would fail again.
        failed.add(id);
        onLog(`The stills of episode ${id} were not created: ${describe(error)}`);
      }
    }
  }

  async function fill(id: string): Promise<void> {
    const episode = await database.episodes.find(id);
    if (episode === undefined || episode.contentHash === null) return;
    const content = { id, contentHash: episode.contentHash };
    if ((await stills.read(content, 0, 1)) !== undefined) return;
    // The video of another content, or on another machine.
    if (!(await isUnchanged(episode))) return void failed.add(id);
    const frameTable = await database.episodes.readFrameTable(id, modelId);
    if (frameTable === undefined) return void failed.add(id);
    const bytes = encodeStillSet(await fitStills(await cutStills(episode.path, frameTable)));
    await stills.write(content, bytes).catch((error: unknown) => {
      // The disk is full or the database unavailable: those of other episodes could not be stored either.
      waiting = [];
      throw error;
    });
  }

  async function cutStills(file: string, frameTable: Uint8Array): Promise<ShotStill[]> {
    const { shots, shotOf, atSeconds } = decodeFrameTable(frameTable);
    const framesOfShots = shots.map((): { atSeconds: number }[] => []);
    for (const [frame, at] of atSeconds.entries()) framesOfShots[shotOf[frame] ?? 0]?.push({ atSeconds: at });
    const cut: ShotStill[] = [];
    for (const [index, shot] of shots.entries()) {
      const middle = findMiddle(framesOfShots[index] ?? [], shot);
      if (middle === undefined) continue;
      const still = { ...middle, width: storedStillWidth, isLowPriority: true, signal: closing.signal };
      const jpeg = await extractStill(await getTools(), file, still).catch(ignoreUnreadable);
      if (jpeg !== undefined) cut.push({ ...shot, jpeg: await compressStill(sharp(jpeg)) });
    }
    if (cut.length === 0 && shots.length > 0)
      throw new UnreadableVideoError(file, "it has no readable frame");
    return cut;
  }

  async function findMissing(): Promise<void> {
    try {
      const stored = await stills.list();
      const episodes = (await database.episodes.list()).filter(hasContent);
      const ids = new Set(episodes.map(({ id }) => id));
      await stills.remove([...stored.keys()].filter((id) => !ids.has(id)));
      const missing = episodes.filter(({ id, contentHash }) => stored.get(id) !== contentHash);
      const others = missing.map(({ id }) => id).filter((id) => !failed.has(id) && !waiting.includes(id));
      waiting.push(...shuffle(others));
    } catch (error) {
      onLog(`Missing stills were not found: ${describe(error)}`);
    }
  }

  function start(): Promise<void> {
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
  }

  return {
    /** Creates the stills of this episode next. */
    add(id: string): void {
      if (closing.signal.aborted || failed.has(id)) return;
      waiting = [id, ...waiting.filter((other) => other !== id)];
      void start();
    },

    /** Deletes the stills of removed episodes, and creates all missing ones. Resolves when none waits. */
    async addMissing(): Promise<void> {
      const found = findMissing();
      finding = Promise.all([finding, found]).then(() => undefined);
      await found;
      if (!closing.signal.aborted) await start();
    },

    /** Stops the running process; resolves when it has ended and the database is not read any more. */
    async close(): Promise<void> {
      closing.abort();
      await finding;
      await running;
    },
  };
}

function hasContent<Row extends Episode>(episode: Row): episode is Row & EpisodeContent {
  return episode.contentHash !== null;
}

async function isUnchanged({ path, sizeBytes, modifiedAtMs }: Episode): Promise<boolean> {
  const facts = await stat(path).catch(() => undefined);
  return facts?.size === sizeBytes && Math.trunc(facts.mtimeMs) === modifiedAtMs;
}

function ignoreUnreadable(error: unknown): undefined {
  if (!(error instanceof UnreadableVideoError)) throw error;
}

function shuffle(ids: readonly string[]): string[] {
  return ids
    .map((id) => ({ id, order: Math.random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ id }) => id);
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
