import { readNumber, writtenNumber } from "./written-numbers.ts";

/** Pattern (without groups) of the words for a season in the languages of names. */
export const seasonWord = "(?:Seasons?|Saison|Staffel|Temporada|Stagione|Seizoen|Sezon|Сезон|시즌|Temp)";

const seasonPatterns = [
  /(?<![\p{L}\d])(?<season>\d{1,2})(?:st|nd|rd|th) Season(?!\p{L})/iu,
  new RegExp(`(?<![\\p{L}\\d])(?<season>\\d{1,2})\\. ?${seasonWord}(?!\\p{L})`, "iu"),
  new RegExp(`(?<![\\p{L}\\d])${seasonWord}[\\s._-]*(?<season>\\d{1,2})(?!\\d)`, "iu"),
  new RegExp(`(?<![\\p{L}\\d])${seasonWord} (?<season>[IVX]{1,4})(?![\\p{L}\\d])`, "u"),
  /(?<![\p{L}\d])(?<season>first|second|third|fourth|fifth|sixth|seventh|eighth|ninth) Season(?!\p{L})/iu,
  new RegExp(`第?\\s*(?<season>${writtenNumber})\\s*(?:期|季|シーズン)`, "u"),
  /(?:(?<=\S )|^)S(?<season>\d{1,2})(?=$|[\s)\]】-])/u,
];

/** Finds a season in a name; returns it with the text before and after it. */
export function findSeason(name: string): { season: number; before: string; after: string } | undefined {
  for (const pattern of seasonPatterns) {
    const match = pattern.exec(name);
    const season = readNumber(match?.groups?.season ?? "");
    if (match === null || season === undefined || season > 99) continue;
    return { season, before: name.slice(0, match.index), after: name.slice(match.index + match[0].length) };
  }
  return undefined;
}
