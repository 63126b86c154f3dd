/**
 * Words that describe a file and occur in no title. Outside of brackets, the text after such a word describes
 * the file too.
 */
const openWords = [
  "\\d{3,4}[x×*]\\d{3,4}",
  "(?:480|540|576|720|816|960|1080|1440|2160)[pi](?:\\d{2,3}(?:fps)?)?",
  "blu-?ray|bd-?rip|bd-?remux|br-?rip|web-?dl|web-?rip",
  "hdtv(?:rip)?|pdtv|sdtv|tv-?rip|dvd-?rip|dvb-?rip|hd-?rip",
  "[xh] ?\\.?26[45]|hevc|xvid|divx[\\d.]*|hi10p|(?:8|10)-?bits?|flac(?:x?\\d)?|aac[\\d.]*",
  "e-?ac-?3|ddp?[257]\\.?[01]|dts(?:-?hd)?|truehd",
  "dual[- ]?audio|multi[- ]?subs?|vostfr|vosta|vietsub|gersub|ger[- ]?dub|legendado|dublado",
].join("|");

/** Words that are tags in brackets and behind a number; elsewhere "Raw Hero" and "K" are titles. */
const weakWords = [
  "480|576|720|1080|2160|\\d{3,4}p(?:\\d{2,3}(?:fps)?)?|\\d{2,3}fps",
  "[248]k|hd|fhd|uhd|sd|hq|mq|lq|hdr(?:10)?|sdr",
  "bd|remux|webcast|web|dtv|dvd(?:-?r)?|dvd[59]|vhs-?rip|ld-?rip|bs11|tv|ntsc|pal|vfr",
  "h ?\\.?26[45]|hevc(?:-?10bit)?|avc|av1|vp[89]|mpeg-?[24]",
  "hi10|hi444p?|ma10p|yuv4\\d\\dp\\d*",
  "aac(?:x?\\d|-lc)?|ac-?3|ddp?|opus|mp3|vorbis|ogg|pcm|[257]\\.[01](?:ch)?|srt(?:x\\d)?|ass(?:x\\d)?",
  "multi(?:[- ]?(?:audio|subtitles?))?|eng(?:lish)?(?:[- ]?(?:subs?|dubs?|subbed|dubbed))?|sub(?:s|bed)?|dub(?:bed)?|raw",
  "soft ?subs?|hard ?subs?|multiple subtitles?|jap(?:anese)?|jpn?|ger(?:man)?|fre(?:nch)?|ita(?:lian)?|spa(?:nish)?|rus?(?:sian)?",
  "vf|vo|vff|sub (?:ita|esp|español|eng|fr|pt-br|latino)|pt-?br|latino|castellano|español|cc|zh|kor?|en",
  "uncensored|uncut|remaster(?:ed)?|proper|repack|batch|complete|nf|amzn|cr|adn|baha|bilibili|b-global|hulu|dsnp|viutv|hidive|atvp",
  "chap|gb|big5|chs|cht|jpsc|jptc|sc|tc|mp4|mkv|avi|fixed|version|special edition|(?:v|rev)\\d",
].join("|");

const cjkTag =
  /(?:简|繁|簡)(?:体|體|中|日|英|繁|简|$)|[内內][嵌封]|外[挂掛]|双语|雙語|字幕(?!组|組|社)|招募|招新|合集|全\d+[集话話]|[国國日]语|[国國]語|中字|翻[译譯]|先行|修正|月新番|新番|[无無]修|年[龄齡]|僅限|仅限|生肉|熟肉|压制|無字/u;

const words = `${openWords}|${weakWords}`;
const nextTag = new RegExp(`[\\s._+,&/|x×-]|(?:${words})(?![a-z0-9])`, "iy");
const plainTag =
  /^(?:end|fin|final|v\d|[0-9a-f]{8}|[\d.]+ ?[mg]i?b|(?:www\.)?[\w-]+(?:\.[\w-]+)*[. ](?:com|net|org|ru|io|to|me|tv)|\d{4}[.-]\d\d[.-]\d\d|\d\d[.-]\d\d[.-]\d{4})$/i;

/** Words of releases that are tags only directly before an open tag: "Title EXTENDED 1080p". */
const editionWords =
  "french|truefrench|german|multi|japanese|jpn|ita|eng|rus|dl|limited|extended|theatrical|festival|docu|doku|colorized|convert|internal|readnfo|nfofix|stv|unrated|uncut|imax|hybrid|subforced|hdr|uhd|4k|proper|repack|remastered|criterion|3d|dvdscr";

/** Pattern (without groups) of an open tag with the edition words before it. */
export const openTag = `(?:(?:${editionWords})[\\s._-]+)*(?:${openWords})(?![a-z0-9])`;

/** Matches the first technical word outside of brackets and all text behind it. */
export const startsTechnical = new RegExp(`(?:^|[\\s._~-])${openTag}.*$`, "i");

/** Matches one bracket. */
export const bracket = /\[[^[\]]*\]|\([^()]*\)|【[^【】]*】|\{[^{}]*\}/g;

/** Pattern (without groups) of a tag that may follow a number directly. */
export const tagWord = `(?:${words})(?![a-z0-9])`;

/** True for a bracket that describes the file: a checksum, technical words, a language, an address. */
export function isTechnicalBracket(group: string): boolean {
  const content = group.slice(1, -1).trim();
  if (group.startsWith("(") && /^(?:19|20)\d{2}$/.test(content)) return false;
  return (
    content === "" ||
    plainTag.test(content) ||
    isOnlyTechnical(content) ||
    startsTechnical.test(content) ||
    isCjkTag(content)
  );
}

/** True for "简体内嵌", "10月新番"; a release group is not a tag. */
export function isCjkTag(text: string): boolean {
  return cjkTag.test(text) && !isReleaseGroup(text);
}

/** True for a text that can only be a release group. */
export function isReleaseGroup(text: string): boolean {
  return /字幕[组組社]|工作室|搬[运運][组組]|压制[组組]|[发發]布|(?:raws|fansubs?|[- ]subs)$|^(?:www\.)?[\w-]+\.(?:com|net|org)$/iu.test(
    text,
  );
}

/** Reads one tag after the other: one pattern for all of them would take exponential time on some names. */
function isOnlyTechnical(text: string): boolean {
  nextTag.lastIndex = 0;
  for (let end = 0; end < text.length; end = nextTag.lastIndex) {
    if (!nextTag.test(text)) return false;
  }
  return text !== "";
}
