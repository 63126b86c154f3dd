/**
 * Normalises a title for comparison: folds width and case, removes Latin accents, punctuation and repeated
 * spaces. "Steins;Gate 0" and "steins gate 0" are equal. The result of a non-empty title is not empty.
 */
export function normaliseTitle(title: string): string {
  const folded = title
    .normalize("NFKC")
    .toLowerCase()
    // Only Latin accents are removed: Japanese voicing marks distinguish words.
    .replace(/\p{Script=Latin}\p{Mark}*/gu, (letters) => letters.normalize("NFD").replace(/\p{Mark}/gu, ""))
    .replace(/['’`]/g, "")
    .replace(/&/g, " and ")
    .replace(/×/g, " x ");
  const words = folded.replace(/[^\p{L}\p{N}\p{M}]+/gu, " ").trim();
  return words === "" ? folded.trim() : words;
}

/** Returns the key under which episodes of a season find an anime that metadata lists separately. */
export function seasonKey(titleKey: string, season: number): string {
  return `${titleKey} season ${season}`;
}

/**
 * Returns normalised spellings under which metadata may list a title, or one season of it, best first:
 * unchanged, without a format tag or year in parentheses, and either half of "Romaji (English)".
 */
export function titleSpellings(title: string, season?: number | undefined): string[] {
  const withoutYear = title.replace(/\s*\((?:19|20)\d{2}\)\s*$/, "");
  const inner = /^(?<outer>.+?)\s*\((?<inner>[^()]*\p{L}[^()]*)\)$/u.exec(withoutYear)?.groups;
  const plain = [title, withoutYear, ...(inner === undefined ? [] : [inner.outer ?? "", inner.inner ?? ""])];
  const spellings =
    season === undefined ? plain : plain.flatMap((spelling) => seasonSpellings(spelling, season));
  return [...new Set(spellings.map(normaliseTitle))].filter((spelling) => spelling !== "");
}

/** Returns the year in parentheses at the end of a title. */
export function titleYear(title: string): number | undefined {
  const year = /\(((?:19|20)\d{2})\)\s*$/.exec(title)?.[1];
  return year === undefined ? undefined : Number(year);
}

const romans = ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"];

function seasonSpellings(title: string, season: number): string[] {
  const roman = romans[season];
  return [
    `${title} ${toOrdinal(season)} Season`,
    `${title} Season ${season}`,
    `${title} ${season}`,
    ...(roman === undefined ? [] : [`${title} ${roman}`]),
    `${title} S${season}`,
    `${title} 第${season}期`,
    `${title} Part ${season}`,
  ];
}

function toOrdinal(value: number): string {
  const isTeen = value % 100 >= 11 && value % 100 <= 13;
  const suffix = isTeen ? "th" : (["th", "st", "nd", "rd"][value % 10] ?? "th");
  return `${value}${suffix}`;
}
