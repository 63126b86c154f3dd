import { stat } from "node:fs/promises";
import type { Database, Episode } from "@koma/database";
import { CorruptDescriptorsError, decodeDescriptors } from "@koma/engine";
import type { ProgressOptions } from "../progress-options.ts";
import { openOwnIndex, type SearchIndexParts } from "../search/search-index.ts";

/** An inconsistency in the library, in one sentence with its remedy. */
export type LibraryProblem = {
  kind:
    | "film_missing"
    | "film_changed"
    | "film_failed"
    | "film_not_indexed"
    | "descriptors_missing"
    | "descriptors_damaged"
    | "index_cache_wrong";
  episodeId: string | null;
  file: string | null;
  detail: string;
};

export type VerifyReport = { episodes: number; frames: number; problems: LibraryProblem[] };

export type MaintenanceParts = Omit<SearchIndexParts, "onLog">;

/** Checks the consistency of videos, descriptors and the index cache; changes nothing. */
export async function verifyLibrary(parts: MaintenanceParts, o: ProgressOptions): Promise<VerifyReport> {
  const { database, model } = parts;
  const ready = new Map((await database.episodes.listReady(model.id)).map((set) => [set.episodeId, set.seq]));
  const rows = await database.episodes.list();
  const report: VerifyReport = { episodes: ready.size, frames: 0, problems: [] };
  for (const [done, row] of rows.entries()) {
    o.signal?.throwIfAborted();
    o.onProgress?.({ done, total: rows.length });
    if (ready.has(row.id)) report.frames += row.frameCount;
    const found = [
      await checkVideo(row),
      ready.has(row.id) ? await checkDescriptors(parts, row.id) : undefined,
    ];
    for (const problem of found) {
      if (problem !== undefined) report.problems.push({ ...problem, episodeId: row.id, file: row.path });
    }
  }
  o.onProgress?.({ done: rows.length, total: rows.length });
  report.problems.push(...(await checkCache(parts, ready)));
  return report;
}

type Finding = Pick<LibraryProblem, "kind" | "detail">;

async function checkVideo(row: Episode): Promise<Finding | undefined> {
  if (row.packName !== null) {
    if (row.state === "ready") return undefined;
    const detail = "The import of its pack was not finished: import the pack again.";
    return { kind: "film_not_indexed", detail };
  }
  const facts = await stat(row.path).catch(() => undefined);
  if (facts === undefined) {
    const detail = "The video file is missing: index the folder it was moved to, or remove the episode.";
    return { kind: "film_missing", detail };
  }
  if (row.state === "failed")
    return { kind: "film_failed", detail: row.problem ?? "The video could not be indexed." };
  if (row.state !== "ready") {
    return { kind: "film_not_indexed", detail: "Indexing was not finished: index the video again." };
  }
  if (facts.size !== row.sizeBytes || Math.trunc(facts.mtimeMs) !== row.modifiedAtMs) {
    return { kind: "film_changed", detail: "The video changed since it was indexed: index it again." };
  }
  return undefined;
}

async function checkDescriptors(parts: MaintenanceParts, episodeId: string): Promise<Finding | undefined> {
  const stored = await parts.database.episodes.readDescriptors(episodeId, parts.model.id);
  if (stored === undefined) {
    return {
      kind: "descriptors_missing",
      detail: "Descriptors are missing: index the video again with --force.",
    };
  }
  try {
    decodeDescriptors(parts.model.id, stored.frameTable, stored.chunks);
    return undefined;
  } catch (error) {
    if (!(error instanceof CorruptDescriptorsError)) throw error;
    return {
      kind: "descriptors_damaged",
      detail: "Descriptors are damaged: index the video again with --force.",
    };
  }
}

/** Checks that a cache contains exactly the episodes of its change number. A cache may be old or missing. */
async function checkCache(
  parts: MaintenanceParts,
  ready: ReadonlyMap<string, bigint>,
): Promise<LibraryProblem[]> {
  const { database, model, kind } = parts;
  if (kind === "postgres") return [];
  const index = await openOwnIndex(parts);
  try {
    const cached = await index.restore();
    if (cached === undefined) return [];
    const seq = BigInt(cached.seq);
    const keys = new Set(cached.episodeKeys);
    const changedSince = await readChangedSince(database, seq, model.id);
    const lacking = [...ready].filter(([id, readySeq]) => readySeq <= seq && !keys.has(id));
    const surplus = cached.episodeKeys.filter((key) => !ready.has(key) && !changedSince.has(key));
    if (lacking.length === 0 && surplus.length === 0) return [];
    const detail = `The index cache lacks ${lacking.length} episodes and has ${surplus.length} too many: rebuild the library.`;
    return [{ kind: "index_cache_wrong", episodeId: null, file: null, detail }];
  } finally {
    await index.close();
  }
}

async function readChangedSince(database: Database, seq: bigint, modelId: string): Promise<Set<string>> {
  const changed = new Set<string>();
  const limit = 1000;
  for (let from = seq; ; ) {
    const changes = await database.libraryChanges.listSince(from, modelId, limit);
    for (const change of changes) changed.add(change.episodeId);
    from = changes.at(-1)?.seq ?? from;
    if (changes.length < limit) return changed;
  }
}
