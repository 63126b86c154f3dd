import type { AnimeMetadata } from "@koma/database";
import { normaliseTitle, titleSpellings, titleYear } from "./normalise-title.ts";

/** An anime, or one of its seasons, that lacks metadata. */
export type TitleQuery = {
  id: string;
  title: string;
  season?: number | undefined;
  /** When set, only this id matches. */
  anilistId?: number | undefined;
};

/**
 * Compares metadata entries with titles and stores the best entry for each title. A title that several
 * entries have matches the entry with that main title, then that year, then the more common format.
 */
export function createTitleMatcher(title: readonly TitleQuery[]) {
  const byTitle = groupBySpelling(title);
  const byAnilistId = new Map<number, TitleQuery[]>();
  for (const one of title) {
    if (one.anilistId !== undefined) add(byAnilistId, one.anilistId, one);
  }
  const best = new Map<string, { metadata: AnimeMetadata; score: number }>();
  return {
    offer(metadata: AnimeMetadata): void {
      for (const one of byAnilistId.get(metadata.anilistId ?? -1) ?? []) addCandidate(one.id, metadata, 1000);
      for (const { spelling, isMain } of spellingsOf(metadata)) {
        for (const { one, at } of byTitle.get(spelling) ?? []) {
          addCandidate(one.id, metadata, scoreOf(one, metadata, at, isMain));
        }
      }
    },
    /** Returns the best entry by the id of the title. */
    result: (): ReadonlyMap<string, AnimeMetadata> =>
      new Map([...best].map(([id, { metadata }]) => [id, metadata])),
  };

  function addCandidate(id: string, metadata: AnimeMetadata, score: number): void {
    if (score > (best.get(id)?.score ?? 0)) best.set(id, { metadata, score });
  }
}

const formatScores: Record<string, number> = { TV: 3, MOVIE: 2, ONA: 2, OVA: 1 };

function scoreOf(title: TitleQuery, metadata: AnimeMetadata, spellingAt: number, isMain: boolean): number {
  const year = titleYear(title.title);
  const yearsApart = year === undefined || metadata.year === null ? 1 : Math.abs(year - metadata.year);
  // A season that starts in December is listed under either year; two works of one name are further apart.
  if (yearsApart > 1) return 0;
  const yearScore = yearsApart === 0 ? 20 : 0;
  return 100 - spellingAt * 5 + (isMain ? 10 : 0) + yearScore + (formatScores[metadata.format ?? ""] ?? 0);
}

function spellingsOf(metadata: AnimeMetadata): { spelling: string; isMain: boolean }[] {
  const mainTitles = [metadata.titleRomaji, metadata.titleEnglish, metadata.titleNative];
  const main = new Set(mainTitles.flatMap((title) => (title === null ? [] : titleSpellings(title))));
  const other = new Set(metadata.synonyms.map(normaliseTitle));
  return [...new Set([...main, ...other])].map((spelling) => ({ spelling, isMain: main.has(spelling) }));
}

function groupBySpelling(title: readonly TitleQuery[]): Map<string, { one: TitleQuery; at: number }[]> {
  const groups = new Map<string, { one: TitleQuery; at: number }[]>();
  for (const one of title) {
    if (one.anilistId !== undefined) continue;
    for (const [at, spelling] of titleSpellings(one.title, one.season).entries())
      add(groups, spelling, { one, at });
  }
  return groups;
}

function add<K, V>(groups: Map<K, V[]>, key: K, value: V): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [value]);
  else group.push(value);
}
