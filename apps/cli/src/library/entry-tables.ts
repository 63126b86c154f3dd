import type { LibraryEntry } from "@koma/library";
import { formatCount, formatEpisode, formatTime } from "../terminal/format.ts";
import { formatTable, printable } from "../terminal/table.ts";

/** All anime of the library as a table, one row each. */
export function formatEntries(entries: readonly LibraryEntry[]): string {
  const hasPacks = entries.some((entry) => describeOrigin(entry) !== "");
  const rows = entries.map((entry) => [
    titleOf(entry),
    entry.anime.year ?? "",
    entry.episodes.length,
    formatTime(sum(entry.episodes.map((episode) => episode.durationSeconds ?? 0))),
    sum(entry.episodes.map((episode) => episode.frameCount)).toLocaleString("en"),
    describeStates(entry),
    ...(hasPacks ? [describeOrigin(entry)] : []),
    entry.anime.id,
  ]);
  const episodes = entries.flatMap((entry) => entry.episodes);
  const total = [
    `${entries.length} anime`,
    formatCount(episodes.length, "episode"),
    formatTime(sum(episodes.map((episode) => episode.durationSeconds ?? 0))),
    formatCount(sum(episodes.map((episode) => episode.frameCount)), "frame"),
  ];
  const head = ["Anime", "Year", "Episodes", "Length", "Frames", "", ...(hasPacks ? ["Origin"] : []), "Id"];
  return `${formatTable(head, rows)}\n\n${total.join(", ")}`;
}

/** One anime: its metadata, then a table of its episodes. */
export function formatEntry(entry: LibraryEntry): string {
  const { anime, episodes } = entry;
  const facts: [string, string | number | null][] = [
    ["Romaji", anime.titleRomaji],
    ["English", anime.titleEnglish],
    ["Native", anime.titleNative],
    ["Format", anime.format],
    ["Year", anime.year],
    ["AniList", anime.anilistId],
    ["MyAnimeList", anime.malId],
    ["Id", anime.id],
  ];
  const known = facts.filter(([, value]) => value !== null);
  const rows = episodes.map((episode) => [
    formatEpisode(episode),
    episode.durationSeconds === null ? "" : formatTime(episode.durationSeconds),
    episode.frameCount.toLocaleString("en"),
    episode.state === "failed" ? `failed: ${episode.problem ?? ""}` : episode.state,
    episode.packName === null ? episode.fileName : `from the pack ${episode.packName}`,
    episode.id,
  ]);
  return [
    ...known.map(([name, value]) => `${name.padEnd(12)}${printable(String(value))}`),
    "",
    formatTable(["Episode", "Length", "Frames", "State", "File", "Id"], rows),
  ].join("\n");
}

/** The names of episodes as a table, one row each. */
export function formatNames(
  named: readonly { anime: LibraryEntry["anime"]; episode: LibraryEntry["episodes"][number] }[],
): string {
  const rows = named.map(({ anime, episode }) => [
    titleOf({ anime }),
    formatEpisode(episode),
    episode.fileName,
  ]);
  return formatTable(["Anime", "Episode", "File"], rows);
}

function titleOf({ anime }: Pick<LibraryEntry, "anime">): string {
  const title = anime.titleEnglish ?? anime.titleRomaji ?? anime.titleNative ?? "–";
  return anime.isSample ? `${title} (sample)` : title;
}

/** The packs of which an anime has episodes; empty where all are videos. */
function describeOrigin({ episodes }: LibraryEntry): string {
  const packs = new Set(episodes.flatMap(({ packName }) => packName ?? []));
  if (packs.size === 0) return "";
  const hasVideos = episodes.some(({ packName }) => packName === null);
  return [...(hasVideos ? ["videos"] : []), ...packs].join(", ");
}

function describeStates({ episodes }: LibraryEntry): string {
  const count = (state: string) => episodes.filter((episode) => episode.state === state).length;
  const states = ["failed", "indexing", "pending"].filter((state) => count(state) > 0);
  return states.map((state) => `${count(state)} ${state}`).join(", ");
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
