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
/** Matches the first technical word outside of brackets and all text behind it. */
export const startsTechnical = new RegExp(`(?:^|[\\s._-])(?:${openWords})(?![a-z0-9]).*$`, "i");
/** Matches one bracket. */
export const bracket = /\[[^[\]]*\]|\([^()]*\)|【[^【】]*】|\{[^{}]*\}/g;

/** True for a bracket that describes the file: a checksum, technical words, a language. */
export function isTechnicalBracket(group: string): boolean {
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
