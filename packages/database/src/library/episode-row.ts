import { type Anime as AnimeRow, type Episode as EpisodeRow, Prisma } from "../generated/client.ts";
import { type Anime, toAnime } from "./anime.ts";

/** `pending`: never indexed; `indexing`: claimed; `ready`: published; `failed`: the last attempt failed. */
export type EpisodeState = "pending" | "indexing" | "ready" | "failed";

/** A named part of an episode, in seconds. */
export type EpisodeLabel = { label: "opening" | "ending" | "preview" | "pv"; from: number; to: number };

/** One video file. Size, time, hash, duration and frames describe the content that was published last. */
export type Episode = {
  id: string;
  animeId: string;
  season: number | null;
  /** "3", or a label that is not an integer: "13.5", "OVA 2", "1-2". */
  number: string | null;
  title: string | null;
  /** Absolute, unique; of an episode of a pack it names no file. */
  path: string;
  fileName: string;
  sizeBytes: number;
  modifiedAtMs: number;
  /** Null until published once. */
  contentHash: string | null;
  state: EpisodeState;
  /** The reason of the last failure, in one sentence. */
  problem: string | null;
  durationSeconds: number | null;
  frameCount: number;
  isSample: boolean;
  /** The name of the pack from which the episode was imported, without its video; null: it has a video. */
  packName: string | null;
  indexedAt: Date | null;
  /** The named parts, by time: detected, or as an operator set them. */
  labels: EpisodeLabel[];
};

/** An episode with its anime. */
export type EpisodeWithAnime = Episode & { anime: Anime };

/** Converts a stored episode to its domain form. */
export function toEpisode(row: EpisodeRow): Episode {
  const { claimToken: _token, claimOwner: _owner, claimExpiresAt, ...rest } = row;
  const { isEdited: _isEdited, areLabelsEdited: _areLabelsEdited, ...episode } = rest;
  // The owner of an expired claim was killed, so the episode has its earlier state until the next claim.
  const isLeaseExpired = row.state === "indexing" && (claimExpiresAt === null || claimExpiresAt < new Date());
  const before = row.contentHash === null ? "pending" : "ready";
  return {
    ...episode,
    state: isLeaseExpired ? before : row.state,
    sizeBytes: Number(row.sizeBytes),
    modifiedAtMs: Number(row.modifiedAtMs),
    labels: row.labels as EpisodeLabel[],
  };
}

/** An episode and its anime in one row, which Prisma would read with two statements. */
export type JoinedRow = Record<keyof EpisodeRow, unknown> & {
  [Column in keyof AnimeRow as `anime.${Column}`]: AnimeRow[Column];
};

/** The columns of a joined row, of the tables "e" and "a". */
export const episodeColumns = listColumns("e", Object.keys(Prisma.EpisodeScalarFieldEnum), "");
export const animeColumns = listColumns("a", Object.keys(Prisma.AnimeScalarFieldEnum), "anime.");

function listColumns(table: "e" | "a", names: string[], prefix: string): string {
  const columns = names.map((name) => `${table}."${name}" AS "${prefix}${name}"`);
  return columns.join(", ");
}

const animeLists = [
  "synonyms",
  "studios",
  "linkSites",
  "linkUrls",
  "editedFields",
] satisfies (keyof AnimeRow)[];

/** The episode and the anime of a joined row. */
export function splitRow(row: JoinedRow): EpisodeRow & { anime: AnimeRow } {
  const episode: Record<string, unknown> = {};
  const anime: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row)) {
    if (name.startsWith("anime.")) anime[name.slice("anime.".length)] = value;
    else episode[name] = value;
  }
  // Lists can be NULL in the database, which Prisma reads as empty ones.
  for (const name of animeLists) anime[name] ??= [];
  return { ...(episode as EpisodeRow), anime: anime as AnimeRow };
}

/** Converts a stored episode with its anime to its domain form. */
export function toEpisodeWithAnime({ anime, ...row }: EpisodeRow & { anime: AnimeRow }): EpisodeWithAnime {
  return { ...toEpisode(row), anime: toAnime(anime) };
}

const collator = new Intl.Collator("en", { numeric: true });

/** Orders episodes by title, season and number. */
export function compareEpisodes(
  a: EpisodeRow & { anime: AnimeRow },
  b: EpisodeRow & { anime: AnimeRow },
): number {
  return (
    collator.compare(a.anime.searchText, b.anime.searchText) ||
    collator.compare(a.animeId, b.animeId) ||
    (a.season ?? 0) - (b.season ?? 0) ||
    collator.compare(a.number ?? "", b.number ?? "") ||
    collator.compare(a.path, b.path)
  );
}
