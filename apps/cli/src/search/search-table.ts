import type { Match } from "@koma/contract";
import { formatEpisode, formatTime } from "../terminal/format.ts";
import { formatTable, printable } from "../terminal/table.ts";
import type { FileMatch, SearchLine } from "./search-line.ts";

/** The result of one image as text: a heading and a table. */
export function formatSearchLine(line: SearchLine): string {
  const heading = printable(line.query);
  if ("error" in line) return `${heading}\n  ${printable(line.error.detail)}`;
  if (line.matches.length === 0) return `${heading}\n  No match in the library.`;
  const table = formatTable(["", "Anime", "Episode", "Time", "Similarity", ""], line.matches.map(toRow));
  const doubt = line.matches[0]?.isConfident
    ? ""
    : "\nNo match is certain: the scene may not be in the library.";
  return `${heading}\n${table}${doubt}`;
}

function toRow(match: FileMatch): (string | number)[] {
  return [
    match.rank,
    titleOf(match.anime),
    match.episode === null ? "–" : formatEpisode(match.episode),
    match.to - match.from < 1
      ? formatTime(match.timestamp)
      : `${formatTime(match.timestamp)} (${formatTime(match.from)}–${formatTime(match.to)})`,
    `${(match.similarity * 100).toFixed(1)} %`,
    [
      match.isConfident ? "" : "uncertain",
      match.isMirrored ? "mirrored" : "",
      match.label === "pv" ? "PV" : (match.label ?? ""),
      formatRun(match),
      match.source ? `from ${match.source.name}` : "",
    ]
      .filter(Boolean)
      .join(", "),
  ];
}

/** The times between which the video looks the same, for a picture that is held for a second or longer. */
function formatRun({ looksSameFrom, looksSameTo }: FileMatch): string {
  if (looksSameFrom === null || looksSameTo === null || looksSameTo - looksSameFrom < 1) return "";
  return `looks the same ${formatTime(looksSameFrom)}–${formatTime(looksSameTo)}`;
}

function titleOf({ title }: Match["anime"]): string {
  return title.english ?? title.romaji ?? title.native ?? "–";
}
