import { bracket, isTechnicalBracket, openTag, startsTechnical } from "./tags.ts";

/**
 * Normalises a file or folder name: one kind of space, ASCII digits and letters, spaces for underscores and
 * dots, without the marks of copies.
 */
export function tidyName(name: string): string {
  const folded = name
    .normalize("NFC")
    .replace(/[０-９Ａ-Ｚａ-ｚ＃－（）［］]/g, (letter) => letter.normalize("NFKC"))
    .replace(/[–—](?=\s)/gu, "-")
    .replace(/[\s\u3000]+/gu, " ")
    .trim();
  const spaced = withoutCopyMark(collapse(folded.replaceAll("_", " ")));
  const open = spaced.replace(bracket, "").trim();
  const spaces = open.match(/ /g)?.length ?? 0;
  if (spaces === 0 && /\p{L}\+\p{L}/u.test(open) && !open.includes(".")) {
    return collapse(spaced.replaceAll("+", " "));
  }
  if (spaces > 0 && spaces >= (open.match(/(?<=[\p{L}\d-])\.(?=[\p{L}\d-])/gu)?.length ?? 0)) return spaced;
  return collapse(
    spaced
      .split(/(\[[^[\]]*\]|【[^【】]*】)/)
      .map((part, index) => (/^[[【]/.test(part) ? part : withoutDots(part, index > 0)))
      .join(""),
  );
}

const yearBeforeTag = new RegExp(`(?<=\\S )((?:19|20)\\d{2})(?= ${openTag})`, "i");

/** Removes brackets that describe only the file, and all text after a technical word outside of brackets. */
export function withoutTechnical(text: string): string {
  const withYear = text.replace(yearBeforeTag, "($1)");
  return collapse(withoutTechnicalBrackets(withYear).replace(startsTechnical, "")).replace(
    /(?:\s+[-~]+)+$/u,
    "",
  );
}

/** "My 720p Show": a technical word is part of a title that goes on behind it. */
function withoutTechnicalEnd(text: string): string {
  const selected = withoutTechnicalBrackets(text);
  const tail = startsTechnical.exec(selected)?.[0].trim() ?? "";
  return isTechnicalBracket(`[${tail.replace(/^\S+/, "")}]`) ? withoutTechnical(text) : selected;
}

/** Removes brackets that describe only the file. */
export function withoutTechnicalBrackets(text: string): string {
  return collapse(text.replace(bracket, (group) => (isTechnicalBracket(group) ? " " : group)));
}

/** Removes the name of a group that follows a bracket of tags: "Title [1080p] - Group". */
export function withoutTrailingGroup(text: string): string {
  for (const match of text.matchAll(bracket)) {
    const before = text.slice(0, match.index);
    const after = text.slice(match.index + match[0].length);
    if (!isTechnicalBracket(match[0]) || !/\p{L}/u.test(before.replace(bracket, ""))) continue;
    if (/^\s?- ?[\p{L}-]+(?: v\d)?$/u.test(after)) return before;
  }
  return text;
}

/**
 * Returns the title in the part of a name before its number: without release group, technical brackets and
 * format tags. A year in parentheses stays because it distinguishes works of one name.
 */
export function cleanTitle(text: string, { isBeforeNumber = false } = {}): string {
  const described = isBeforeNumber ? withoutTechnicalEnd(text) : withoutTechnical(text);
  const withoutGroup = described.replace(/^(?:\p{L}+\.)?(?:\s*(?:\[[^[\]]*\]|【[^【】]*】))+\.?/u, "");
  const open = withoutGroup
    .replace(/\[[^[\]]*\]|【[^【】]*】|\{[^{}]*\}/g, " ")
    .replace(/\((?:tv|ona|ova|oad|movie|bd|dvd|web|special|specials)\)/gi, " ")
    .replace(/^\d{6}(?= .*\p{L})/u, " ")
    .replace(/\s(?:The )?Complete(?: (?:Series|Seasons?).*)?$/i, "");
  const title = trimTitle(withoutDate(open));
  return selectLanguage(title === "" ? titleInBrackets(described) : title);
}

/** Trims characters that join a title to the rest of a name. */
export function trimTitle(text: string): string {
  return collapse(text)
    .replace(/^[\s~_+,;–—★☆◆-]+|[\s_+,;:–—([【★☆◆-]+$/gu, "")
    .replace(/(?<=\p{L}{2})\.$/u, "")
    .replace(/(?<=\s)~$/u, "")
    .trim();
}

/** A date in the forms that recordings have: "2016.05.23", "2016-05-23", "23.05.2016", "05.23.2016". */
export const date =
  /(?<![\p{L}\d])(?:(?:19|20)\d\d[ .-](?:0\d|1[0-2])[ .-](?:[0-2]\d|3[01])|(?:[0-2]\d|3[01])[ .-](?:0\d|1[0-2])[ .-](?:19|20)\d\d|(?:0\d|1[0-2])[ .-](?:[0-2]\d|3[01])[ .-](?:19|20)\d\d)(?![\p{L}\d])/u;

/**
 * "[Group][Title][08]": the second bracket is the title; a single bracket is the title of a name without
 * other text.
 */
function titleInBrackets(text: string): string {
  const contents = [...text.matchAll(/[[【]([^[\]【】]*)[\]】]/g)].map((match) => trimTitle(match[1] ?? ""));
  const named = contents.filter((content) => /\p{L}/u.test(content));
  return named[1] ?? (contents.length === 1 ? (named[0] ?? "") : "");
}

/** "星之雨／Hoshi no Ame": the first of two titles in different scripts. */
function selectLanguage(title: string): string {
  const [first = "", second] = title.split(/\s*[／｜|]\s*/u);
  return second === undefined || hasCjk(first) === hasCjk(second) ? title : trimTitle(first) || title;
}

function hasCjk(text: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(text);
}

function withoutDate(text: string): string {
  const found = date.exec(text);
  return found === null || found.index === 0 ? text : text.slice(0, found.index);
}

/** "10 (1)" and "10 - Copy (2)": names that file managers give to copies. */
function withoutCopyMark(name: string): string {
  return name
    .replace(/(?<=\S) ?(?:- Copy|- Kopie|- copia|\(copy\))(?: ?\(\d\))?$/iu, "")
    .replace(/(?<=\S *\d{1,4}(?:v\d)?|\]) ?\(\d\)$/u, "");
}

/** "Title.13.5" keeps its half; "Title.13.1080p" and ".hack" contain no half. */
function withoutDots(text: string, isInside: boolean): string {
  return text.replace(isInside ? /^\./ : /^$/, " ").replace(/(?<!^)(?<!\d)\.|(?<=\d)\.(?!5(?!\d))/g, " ");
}

function collapse(text: string): string {
  return text.replace(/\s+/gu, " ").trim();
}
