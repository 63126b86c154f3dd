import { randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import { hostname } from "node:os";
import { basename } from "node:path";
import {
  ClaimLostError,
  type Episode,
  type EpisodeClaim,
  type EpisodeNaming,
  PathTakenError,
} from "@koma/database";
import { asFilmProblem, type DescribeParts, describeFilm, FilmProblem } from "./describe-film.ts";
import type { FoundFilm } from "./discover-films.ts";
import { type FilmNaming, isNamed } from "./film-naming.ts";
import { hashFilm } from "./hash-film.ts";
import { holdClaim, leaseSeconds } from "./hold-claim.ts";
import type { IndexEvent } from "./index-event.ts";

export type SettlerParts = Omit<DescribeParts, "engine"> & {
  openEngine: () => Promise<DescribeParts["engine"]>;
  naming: FilmNaming;
  /** Ids of episodes that lack descriptors of the model in use. */
  stale: ReadonlySet<string>;
  isSample: boolean;
  force: boolean;
};

type Settling = { onEvent: (event: IndexEvent) => void; signal: AbortSignal };
type HashedFilm = FoundFilm & { contentHash: string };

/**
 * Gives a function that brings the library in step with one film, or says "busy" when another indexer holds it. Every
 * step can be the last one before the process is killed: the next run finds the film where it was or where it belongs.
 */
export function createFilmSettler(parts: SettlerParts) {
  const { database, naming, stale, isSample, force } = parts;
  const owner = `${hostname()} ${process.pid} ${randomUUID()}`;
  const wasBusy = new Set<string>();
  let moving: Promise<unknown> = Promise.resolve();

  return async function settle(found: FoundFilm, o: Settling): Promise<"settled" | "busy"> {
    try {
      return await settleOrThrow(found, o);
    } catch (error) {
      o.signal.throwIfAborted();
      if (!(error instanceof FilmProblem)) throw error;
      o.onEvent({ kind: "failed", file: found.path, problem: error.message });
      return "settled";
    }
  };

  async function settleOrThrow(found: FoundFilm, o: Settling): Promise<"settled" | "busy"> {
    o.signal.throwIfAborted();
    const film = await asFilmProblem(o.signal, () => readFacts(found.path));
    const row = await database.episodes.findByPath(film.path);
    if (row !== undefined && isServed(row) && isPublished(row, film)) return await keep(row, film, o);

    const contentHash = await asFilmProblem(o.signal, () => hashFilm(film.path, o.signal));
    const hashed = { ...film, contentHash };
    if (row !== undefined && isServed(row) && row.state === "ready" && row.contentHash === contentHash) {
      await database.episodes.refreshFile(row.id, film);
      return await keep(row, film, o);
    }
    const moved = await oneMoveAtATime(() => adoptMoved(hashed, row));
    if (moved !== undefined) {
      o.onEvent({ kind: "moved", file: film.path, from: moved.path, episodeId: moved.id });
      if (isServed(moved)) return "settled";
    }
    return await index(hashed, moved ?? row, o);
  }

  /** Descriptors of the model in use are there and need not be made again. */
  function isServed(row: Episode): boolean {
    return !force && !stale.has(row.id);
  }

  async function keep(row: Episode, film: FoundFilm, o: Settling): Promise<"settled"> {
    if (naming.isGiven) {
      const named = await naming.resolve(film.path);
      if (!isNamed(row, named)) {
        await database.episodes.upsertPending({ ...toFile(film), ...named, isSample });
        o.onEvent({ kind: "updated", file: film.path, episodeId: row.id });
        return "settled";
      }
    }
    const reason = wasBusy.has(film.path) ? "indexed_elsewhere" : "unchanged";
    o.onEvent({ kind: "skipped", file: film.path, reason });
    return "settled";
  }

  /** The episode with this content whose file is gone now stands here; undefined when there is none. */
  async function adoptMoved(film: HashedFilm, row: Episode | undefined): Promise<Episode | undefined> {
    const twins = await database.episodes.findByContentHash(film.contentHash);
    for (const twin of twins) {
      if (twin.path === film.path || twin.state !== "ready" || (await isThere(twin.path))) continue;
      // What stood at this path was overwritten by the moved film.
      if (row !== undefined && row.contentHash !== null) await database.episodes.remove([row.id]);
      const to = { ...toFile(film), ...(await movedNaming(twin, film.path)) };
      if (await database.episodes.move(twin.id, to).then(() => true, isPathTaken)) return twin;
    }
    return undefined;
  }

  /** What the old name told is told anew by the new one; what the user said stays. */
  async function movedNaming(twin: Episode, path: string): Promise<Partial<EpisodeNaming>> {
    if (naming.isGiven || isNamed(twin, await naming.resolve(twin.path))) return await naming.resolve(path);
    return {};
  }

  function oneMoveAtATime<T>(move: () => Promise<T>): Promise<T> {
    const result = moving.then(move, move);
    moving = result.catch(() => undefined);
    return result;
  }

  async function index(
    film: HashedFilm,
    before: Episode | undefined,
    o: Settling,
  ): Promise<"settled" | "busy"> {
    const startedAtMs = performance.now();
    const named = await naming.resolve(film.path);
    const row = await database.episodes.upsertPending({ ...toFile(film), ...named, isSample });
    const claim = await database.episodes.claim(row.id, { owner, leaseSeconds });
    if (claim === undefined) return busy(film);
    const now = await database.episodes.find(row.id);
    if (now?.indexedAt?.getTime() !== before?.indexedAt?.getTime()) {
      // Another indexer published it between the look-up and the claim: look again.
      await database.episodes.release(claim);
      busy(film);
      return await settleOrThrow(film, o);
    }
    try {
      const engine = await parts.openEngine();
      const done = await holdClaim(database, claim, o.signal, (signal) =>
        describeFilm({ ...parts, engine }, claim, film, { ...o, signal }),
      );
      const elapsedSeconds = (performance.now() - startedAtMs) / 1000;
      o.onEvent({ kind: "indexed", file: film.path, episodeId: row.id, ...done, elapsedSeconds });
      return "settled";
    } catch (error) {
      if (error instanceof ClaimLostError) return busy(film);
      await endClaim(claim, error);
      throw error;
    }
  }

  function busy(film: FoundFilm): "busy" {
    wasBusy.add(film.path);
    return "busy";
  }

  /** A bad film is remembered as such; after anything else the film is as if it had not been touched. */
  async function endClaim(claim: EpisodeClaim, error: unknown): Promise<void> {
    const ended =
      error instanceof FilmProblem
        ? database.episodes.fail(claim, error.message)
        : database.episodes.release(claim);
    await ended.catch((ending: unknown) => {
      if (error instanceof FilmProblem && !(ending instanceof ClaimLostError)) throw ending;
    });
  }
}

/** Whether the film on disk has the size and time of the content that was published. */
export function isPublished(row: Episode, film: FoundFilm): boolean {
  return row.state === "ready" && row.sizeBytes === film.sizeBytes && row.modifiedAtMs === film.modifiedAtMs;
}

function toFile(film: FoundFilm): FoundFilm & { fileName: string } {
  const { path, sizeBytes, modifiedAtMs } = film;
  return { path, sizeBytes, modifiedAtMs, fileName: basename(path) };
}

/** Another indexer works on what stood there; this film waits for it like for any other. */
function isPathTaken(error: unknown): false {
  if (error instanceof PathTakenError) return false;
  throw error;
}

async function readFacts(path: string): Promise<FoundFilm> {
  const facts = await stat(path);
  return { path, sizeBytes: facts.size, modifiedAtMs: Math.trunc(facts.mtimeMs) };
}

async function isThere(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== "ENOENT" && error.code !== "ENOTDIR",
  );
}
