import { tidyName, withoutTechnical } from "./clean-name.ts";
import type { Numbering } from "./numbering-rules.ts";
import { toEpisodeNumber } from "./written-numbers.ts";

/** The names of all videos in one folder, prepared for comparisons. */
export type FolderNames = { names: readonly string[] };

const anyNumber = /(?<![\p{L}\d.])(?!(?:19|20)\d\d(?!\d))\d{1,4}(?:\.5)?(?![\d.]*\d)(?!\p{L}{2})/gu;
const leadingNumber = /^(?:\[[^\]]*\] ?)?\d+/;

/** Prepares the file names of the videos in one folder, once for all of them. */
export function readFolderNames(fileNames: readonly string[]): FolderNames {
  return { names: fileNames.map((name) => prepare(tidyName(withoutExtension(name)))) };
}

/** Removes the extension; "Title 1.11" has none. */
export function withoutExtension(name: string): string {
  return name.replace(/\.(?=[a-z0-9]*[a-z])[a-z0-9]{2,5}$/i, "");
}

/**
 * Finds the number of a tidy name that differs between the videos of its folder, which is the episode. Of
 * several, it is the one with most values.
 */
export function findVaryingNumber(fullName: string, { names }: FolderNames): Numbering | undefined {
  const name = withoutTechnical(fullName);
  let best: { match: RegExpExecArray; values: number } | undefined;
  for (const match of name.matchAll(anyNumber)) {
    const values = countOtherValues(name.slice(0, match.index), match[0], names);
    if (values > (best?.values ?? 0)) best = { match, values };
  }
  if (best === undefined) return undefined;
  const { match } = best;
  const before = name.slice(0, match.index).replace(/^\[[^\]]*\] ?$/, "");
  return {
    number: toEpisodeNumber(match[0]),
    before,
    after: name.slice(match.index + match[0].length),
    isWeak: true,
    isPadded: match[0].startsWith("0"),
    isLeading: before === "",
  };
}

/** True when all names of the folder, two at least, have this text behind a number at their start. */
export function hasCommonEnd(after: string, { names }: FolderNames): boolean {
  const end = prepare(after).trim();
  return names.length > 1 && names.every((name) => name.replace(leadingNumber, "").trim() === end);
}

function countOtherValues(before: string, number: string, names: readonly string[]): number {
  const start = before.toLowerCase();
  const values = new Set<number>();
  for (const name of names) {
    if (!name.startsWith(start)) continue;
    const value = /^\d{1,4}(?:\.5)?(?!\d)/.exec(name.slice(start.length, start.length + 8))?.[0];
    if (value !== undefined && Number(value) !== Number(number)) values.add(Number(value));
  }
  return values.size;
}

function prepare(fullName: string): string {
  return withoutTechnical(fullName).toLowerCase();
}
