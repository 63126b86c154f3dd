import { bracket, isTechnicalBracket, startsTechnical } from "./tags.ts";

/**
 * Normalises a file or folder name: one kind of space, ASCII digits and letters, spaces for underscores and
 * dots.
 */
export function tidyName(name: string): string {
  const folded = name
    .normalize("NFC")
    .replace(/[０-９Ａ-Ｚａ-ｚ＃－（）［］]/g, (letter) => letter.normalize("NFKC"))
    .replace(/[\s\u3000]+/gu, " ")
    .trim();
  const spaced = collapse(folded.replaceAll("_", " "));
  if (spaced.replace(bracket, "").trim().includes(" ")) return spaced;
  // "Title.13.5" keeps its half; "Title.13.1080p" and ".hack" contain no half.
  return collapse(spaced.replace(/(?<!^)(?<!\d)\.|(?<=\d)\.(?!5(?!\d))/g, " "));
}

/** Removes brackets that describe only the file, and all text after a technical word outside of brackets. */
export function withoutTechnical(text: string): string {
  const withYear = text.replace(/(?<=\S )((?:19|20)\d{2})(?= (?:480|720|1080|2160)[pi])/i, "($1)");
  const selected = withYear.replace(bracket, (group) => (isTechnicalBracket(group) ? " " : group));
  return collapse(selected.replace(startsTechnical, ""));
}

/**
 * Returns the title in the part of a name before its number: without release group, technical brackets and
 * format tags. A year in parentheses stays because it distinguishes works of one name.
 */
export function cleanTitle(text: string): string {
  const described = withoutTechnical(text);
  const withoutGroup = described.replace(/^(?:\s*(?:\[[^[\]]*\]|【[^【】]*】))+/, "");
  const open = withoutGroup
    .replace(/\[[^[\]]*\]|【[^【】]*】|\{[^{}]*\}/g, " ")
    .replace(/\((?:tv|ona|ova|oad|movie|bd|dvd|web|special|specials)\)/gi, " ");
  const title = trimTitle(open);
  return title === "" ? titleInBrackets(described) : title;
}

/** Trims characters that join a title to the rest of a name. */
export function trimTitle(text: string): string {
  return collapse(text)
    .replace(/^[\s~_+,;–—-]+|[\s_+,;–—([【-]+$/gu, "")
    .replace(/(?<=\p{L}{2})\.$/u, "")
    .trim();
}

/**
 * "[Group][Title][08]": the second bracket is the title; a single bracket is the title of a name without
 * other text.
 */
function titleInBrackets(text: string): string {
  const contents = [...text.matchAll(/[[【]([^[\]【】]*)[\]】]/g)].map((match) => trimTitle(match[1] ?? ""));
  const named = contents.filter((content) => /\p{L}/u.test(content));
  return named[1] ?? (contents.length === 1 ? (named[0] ?? "") : "");
}

function collapse(text: string): string {
  return text.replace(/\s+/gu, " ").trim();
}
