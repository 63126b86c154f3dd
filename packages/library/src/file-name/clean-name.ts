// Words that describe only a file. Outside of brackets, the text after such a word describes the file too.
const technicalWords = [
  "\\d{3,4}x\\d{3,4}",
  "(?:480|540|576|720|816|960|1080|1440|2160)[pi]?(?:\\d{2,3}fps)?",
  "[248]k",
  "blu-?ray|bd-?rip|bd-?remux|bd|br-?rip|remux",
  "web-?dl|web-?rip|webcast|web",
  "hdtv(?:rip)?|tv-?rip|dtv|dvd-?rip|dvd(?:-?r)?|dvd[59]|vhs-?rip|ld-?rip|hd-?rip",
  "(?:x|h ?\\.?)26[45]|hevc(?:-?10bit)?|avc|av1|vp9|xvid|divx[\\d.]*|mpeg-?[24]",
  "(?:8|10)-?bits?|hi10p?|hi444p?|ma10p|yuv4\\d\\dp\\d*",
  "aac(?:x?\\d|-lc)?|flac(?:x\\d)?|e?-?ac-?3|ddp?[57]?|dts(?:-?hd)?|opus|mp3|truehd|vorbis",
  "dual[- ]?audio|multi[- ]?(?:audio|subs?|subtitles?)|eng[- ]?subs?|subbed|dubbed|raw|softsubs?|hardsubs?",
  "uncensored|uncut|remaster(?:ed)?|proper|repack|batch|complete|nf|amzn|cr|adn|baha|bilibili|hulu|dsnp",
].join("|");

// The more ambiguous of these words count in brackets only: "Raw Hero" and "K" are titles.
const openWords =
  "\\d{3,4}x\\d{3,4}|(?:480|540|576|720|960|1080|1440|2160)[pi]|blu-?ray|bd-?rip|bd-?remux|web-?dl|web-?rip|hdtv(?:rip)?|dvd-?rip|[xh] ?\\.?26[45]|hevc|xvid|hi10p|(?:8|10)-?bit|flac|aac[\\d.]*|dual[- ]?audio";

const onlyTechnical = new RegExp(`^(?:[\\s._+,&/x×-]|(?:${technicalWords})(?![a-z0-9]))+$`, "i");
const startsTechnical = new RegExp(`(?:^|[\\s._-])(?:${openWords})(?![a-z0-9]).*$`, "i");
const bracket = /\[[^[\]]*\]|\([^()]*\)|【[^【】]*】|\{[^{}]*\}/g;

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

/** True for a bracket that describes the file: a checksum, technical words, a language. */
function isTechnicalBracket(group: string): boolean {
  const content = group.slice(1, -1).trim();
  if (group.startsWith("(") && /^(?:19|20)\d{2}$/.test(content)) return false;
  return (
    content === "" ||
    /^[0-9a-f]{8}$/i.test(content) ||
    onlyTechnical.test(content) ||
    startsTechnical.test(content) ||
    /^(?:end|fin|final|v\d|multiple subtitle|gb|big5|chs|cht|jpsc|jptc|jp|sc|tc|eng?|jpn?|mp4|mkv)$/i.test(
      content,
    )
  );
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
