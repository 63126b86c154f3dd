import type { Database } from "@koma/database";
import type { ProgressOptions } from "../progress-options.ts";
import { createTitleMatcher } from "../titles/title-matcher.ts";
import { type AniListClientOptions, createAniListClient, type MediaQuery } from "./anilist-client.ts";
import {
  applyMetadata,
  listMetadataTargets,
  type MetadataResult,
  type MetadataTarget,
} from "./apply-metadata.ts";

/** Options of the AniList import; the progress counts the queried anime. */
export type AniListSyncOptions = AniListClientOptions & ProgressOptions;

// AniList returns at most 50 entries per page and rejects complex queries; six searches stay below its
// limit of 500.
const idsPerRequest = 50;
const searchesPerRequest = 6;

/**
 * Imports the library's metadata from AniList's GraphQL API (https://docs.anilist.co), many anime per
 * request: by id where one is known, otherwise by title. It writes the results after each request. Throws
 * MetadataSyncError.
 */
export async function syncAniList(database: Database, o: AniListSyncOptions): Promise<MetadataResult> {
  const fetchMedia = createAniListClient(o);
  const works = groupByAnime(await listMetadataTargets(database));
  const result: MetadataResult = { matched: 0, unmatched: [] };
  let done = 0;
  o.onProgress?.({ done, total: works.length });
  for (const batch of batchesOf(works)) {
    const targets = batch.flatMap((work) => work.targets);
    const matcher = createTitleMatcher(targets);
    for (const metadata of await fetchMedia(toQuery(batch))) matcher.offer(metadata);
    const { matched, unmatched } = await applyMetadata(database, targets, matcher.result());
    result.matched += matched;
    result.unmatched.push(...unmatched);
    done += batch.length;
    o.onProgress?.({ done, total: works.length });
  }
  return result;
}

/** One anime with its later seasons, which are queried and written together. */
type Work = { targets: MetadataTarget[]; anilistId: number | undefined; search: string | undefined };

function groupByAnime(targets: readonly MetadataTarget[]): Work[] {
  const wholes = targets.filter((target) => target.season === undefined);
  return wholes.flatMap(({ anime }) => {
    const group = targets.filter((target) => target.anime === anime);
    // Other sources of metadata, and versions before the links, left them unread.
    const isWanting = anime.metadataAt === null || (anime.linksAt === null && anime.anilistId !== null);
    const selected = group.filter((target) => isWanting || target.season !== undefined);
    if (selected.length === 0) return [];
    const isSearched = selected.some((target) => target.anilistId === undefined);
    const anilistId = isWanting ? (anime.anilistId ?? undefined) : undefined;
    return [{ targets: selected, anilistId, search: isSearched ? selected[0]?.title : undefined }];
  });
}

function* batchesOf(works: readonly Work[]): Generator<Work[], void, void> {
  let batch: Work[] = [];
  for (const work of works) {
    const next = [...batch, work];
    const ids = next.filter((one) => one.anilistId !== undefined).length;
    const searches = next.filter((one) => one.search !== undefined).length;
    if (ids <= idsPerRequest && searches <= searchesPerRequest) {
      batch = next;
      continue;
    }
    yield batch;
    batch = [work];
  }
  if (batch.length > 0) yield batch;
}

function toQuery(batch: readonly Work[]): MediaQuery {
  const ids = batch.flatMap((work) => work.anilistId ?? []);
  const searches = batch.flatMap((work) => work.search?.replace(/\s*\((?:19|20)\d{2}\)$/, "") ?? []);
  return { ids, searches };
}
