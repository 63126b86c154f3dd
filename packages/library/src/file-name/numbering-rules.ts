import { seasonWord } from "./find-season.ts";
import { tagWord } from "./tags.ts";
import { toEpisodeNumber, writtenNumber } from "./written-numbers.ts";

/** The episode number in a name, and the parts of the name around it. */
export type Numbering = {
  /** "3", "13.5", "1-2", "OVA 2"; null in a name with only a date or volume. */
  number: string | null;
  season?: number | undefined;
  before: string;
  after: string;
  /** The title, where the notation states it. */
  title?: string | undefined;
  /** True when season and episode are explicit. */
  isExplicit?: boolean;
  /** True when the number may belong to the title. */
  isWeak?: boolean;
  /** True for "03". */
  isPadded?: boolean;
  /** True when the name starts with the number. */
  isLeading?: boolean;
};

/** One notation of an episode number. */
export type NumberingRule = {
  pattern: RegExp;
  /** Returns undefined for a match that is no number. */
  read(groups: Record<string, string | undefined>): ReadNumber | undefined;
  /** True for a bare number, which may belong to the title; the other videos of the folder decide. */
  isWeak?: boolean;
  /** True for a number that the name starts with. */
  isLeading?: boolean;
};

/** "3", "13.5", "1-2", "OVA 2", "9a". */
type ReadNumber = { number: string; season?: number | undefined };

// Chinese and Japanese names have no space before a number.
const start = "(?:(?<![\\p{L}\\d])|(?<=[\\p{Script=Han}\\p{Script=Katakana}\\p{Script=Hiragana}]))";
const end = "(?![\\p{L}\\d])";
const numeral = "\\d{1,4}(?:\\.\\d(?![\\d.]))?";
const notYear = "(?!(?:19|20)\\d{2}(?!\\d))";
const notResolution = "(?!(?:480|540|576|720|1080|1440|2160)p?(?![\\p{L}\\d]))";
const version = "(?:[\\s_]?[vV]\\d)?(?:\\s?[(（]?(?:END|End|FIN(?:AL)?|完[结結]?|終)[)）]?(?![\\p{L}\\d]))?";
/** "-02", "+02", "v2-04", "-02-03"; with spaces only where the name or a bracket ends behind it. */
const more = `(?<more>(?:(?:[vV]\\d)?[-~～+&](?:EP?|x)?\\d{1,4}(?!\\d|\\.\\d))+|(?:[vV]\\d)?\\s[-~～+&]\\s(?:EP?)?\\d{1,4}(?=\\s*(?:$|[[(【\\])】])))?`;
/** Further episodes behind S01E01 or 1x01: "E02", "-E02", " - 1x02", ".S01E02", "-02". */
const moreOfSeason = `(?<more>(?:(?:[vV]\\d)?(?:[\\s._-]*(?:[-+&~]|and)?[\\s._-]*S?\\k<season>[Ex]P?\\d{1,5}|[\\s._]?(?:[-+&~]|and)?[\\s._]?(?:EP?|x(?!26[45]))\\d{1,5}|[-+&~]${notResolution}\\d{1,4})(?=$|[^\\p{L}\\d]|[Exv]\\d))*)`;
const kinds = "OVAs?|OADs?|SPs?|Specials?|NC ?OP|NC ?ED|OP|ED|PV|CM|Menu|Preview|EX|Creditless (?:OP|ED)";

/** Notations with a season, searched in the whole name: no tag looks like them. */
export const seasonRules: NumberingRule[] = [
  {
    // S02E03, S02.E03, S01x02, S1 - Episode 2, S01E01-E02, S01E01E02, S01E01.S01E02, S2017E368
    pattern: new RegExp(
      `${start}S(?<season>\\d{1,4})(?:\\]\\[|[\\s._-]*)(?:xE|x(?!26[45])|EP?|Episode)[\\s._-]?(?<first>\\d{1,5}(?:\\.\\d(?![\\d.]))?)(?:(?<letter>[a-d])${end})?${moreOfSeason}${version}${end}`,
      "iu",
    ),
    read: readOfSeason,
  },
  {
    // 2x03, 2x4, 02x03-04, 2009x02
    pattern: new RegExp(
      `(?<![\\p{L}\\d]|(?<!\\d{4})\\d\\.)(?<season>\\d{1,2}|19(?!20)\\d\\d|20[0-3]\\d)xE?(?<first>\\d{1,3})${moreOfSeason}${version}${end}`,
      "iu",
    ),
    read: readOfSeason,
  },
  {
    // [Cap.201], [Cap.111_120]: season and episode in one number
    pattern: /[[(]Cap[. ]{1,2}(?<season>\d{1,2})(?<first>\d\d)(?<more>[_ ]\d{3,4})?(?:[. ]Final)?[\])]/iu,
    read: ({ season = "", first = "", more: further }) =>
      ofSeason(Number(season), toEpisodeNumber(first, further?.slice(-2))),
  },
];

/** Notations that mark the number by a word, a dash or brackets. */
export const markedRules: NumberingRule[] = [
  {
    // OVA 2, SP1, NCOP1, NCED 2a, OVA第2話. A title may begin with such a word, so the pattern requires text
    // before it.
    pattern: new RegExp(
      `(?<=\\S[\\s_[(【-]{1,3}|^)${start}(?<kind>${kinds})[\\])】]?[\\s._-]*(?:E|EP|第|#)?(?<first>\\d{1,3}(?:\\.\\d)?)(?:[-~](?<last>\\d{1,3}))?(?:話|话|集)?(?<letter>[a-d])?${version}(?=$|[\\s\\])】_[(「])(?! (?!- )[^\\s[(【「-])`,
      "iu",
    ),
    read: ({ kind = "", first = "", last, letter: part = "" }) => ({
      number: `${toKind(kind)} ${toEpisodeNumber(first, last)}${part.toLowerCase()}`,
    }),
  },
  {
    // 第03話, 第3集, 第十二回, 第01-02話, 03話, 제3화
    pattern: new RegExp(
      `第\\s*(?<first>${writtenNumber}(?:\\.\\d)?)(?:\\s*[-~～]\\s*第?(?<last>${writtenNumber}))?\\s*(?:話|话|集|回|夜|幕|羽|章)|(?<![\\d.全])제?(?<bare>${numeral})\\s*[話话集화회]`,
      "u",
    ),
    read: ({ first, last, bare = "" }) => ({ number: toEpisodeNumber(first ?? bare, last) }),
  },
  {
    // 01 of 24, 3of12, 05 из 12, 05 iz 12
    pattern: new RegExp(
      `${start}(?:(?:Episode|Ep)[\\s.]*)?(?<first>\\d{1,4})[\\s.]?(?:of|из|iz)[\\s.]?(?<count>\\d{1,4}|XX)${end}`,
      "iu",
    ),
    read: ({ first = "", count = "" }) =>
      Number(first) > Number(count) ? undefined : { number: toEpisodeNumber(first) },
  },
  {
    // 4. Bölüm, 12 BLM, 03 серия
    pattern: new RegExp(
      `${start}(?<first>\\d{1,4})[.\\s]{0,2}(?:Bölüm|Bolum|BLM|сери[яи]|эпизод)${end}`,
      "iu",
    ),
    read: readPlain,
  },
  {
    // Episode 3, Ep. 03, EP03, E03, #3, Folge 3. "Title e - 03" has no such mark.
    pattern: new RegExp(
      `${start}(?:(?:[EÉ]pisode|Episodio|Episódio|Folge|Cap[íi]tulo|Cap\\.|Odcinek|odc\\.?|Tập|Avsnitt|Bölüm|серия|эпизод|afl\\.?|Ep)s?[\\s._-]*|E(?=\\d)|#\\s?)(?<first>${numeral})(?:(?<letter>[a-d])${end})?${more}${version}${end}`,
      "iu",
    ),
    read: readPlain,
  },
  {
    // Title 01 - 119; "Title 100 - 119" has a number in its title
    pattern: new RegExp(
      `(?<!${insensitive(seasonWord)}[\\s.]*)(?<=\\S )(?<first>0\\d{1,3}) ?[-~～] ?(?<last>\\d{1,4})(?=\\s*(?:$|[[(【]))`,
      "u",
    ),
    read: ({ first = "", last = "" }) =>
      Number(first) < Number(last) ? { number: toEpisodeNumber(first, last) } : undefined,
  },
  {
    // Title - 03, Title - 13.5v2, Title - 01-02 END, Title - 03 - Name, Title - 03.DVD, Title - 03 VOSTFR
    pattern: new RegExp(
      `(?:(?<=\\S )- ?|^- |(?<=\\p{L})- )${notYear}(?!\\d+p${end})(?<first>${numeral})(?<letter>[a-dA-D]${end})?${more}${version}(?=$|\\s*[[(【「{]|\\s+[-~](?:\\s|$)|\\.(?=\\s|\\p{L})|[\\s.]+${insensitive(tagWord)}|\\s+${insensitive(`(?:${kinds})`)}${end})`,
      "u",
    ),
    read: readPlain,
  },
  {
    // [03], [03v2], [01-12], [03 END], (03), {03}
    pattern: new RegExp(
      `(?:[[【{]|\\((?!\\d\\)))${notYear}${notResolution}(?<first>${numeral})(?<letter>[a-d]${end})?${more}${version}[\\])】}]`,
      "iu",
    ),
    read: readPlain,
  },
];

/** Bare numbers beside a dash, searched in a name without tags. */
export const dashedRules: NumberingRule[] = [
  {
    // Title - 02 Name
    pattern: new RegExp(
      `(?<=\\S )- ${notYear}${notResolution}(?<first>\\d{2,4})${more}${version}(?= \\p{L})`,
      "u",
    ),
    read: readPlain,
    isWeak: true,
  },
  {
    // 03 - Name, 03. Name, 03, 02-03 - Name
    pattern: new RegExp(
      `^(?:\\[[^\\]]*\\] ?)?(?<first>${numeral})(?<letter>[a-d]${end})?${more}${version}(?=$|\\.? - |\\. | ?[[(【「](?!(?:19|20)\\d\\d[\\])]))`,
      "iu",
    ),
    read: readPlain,
    isWeak: true,
    isLeading: true,
  },
];

/** Kinds and bare numbers, searched in a name without tags. */
export const bareRules: NumberingRule[] = [
  {
    // OVA, NCOP, (OVA), Special
    pattern: new RegExp(
      `(?<=\\S[\\s_[(【-]{1,3}|^)${start}(?<kind>${kinds})[\\])】]?(?=$|[\\s\\])】_[(「])(?! (?!- )[^\\s[(【「-])`,
      "iu",
    ),
    read: ({ kind = "" }) => ({ number: toKind(kind) }),
  },
  {
    // Title 03, Title-03, Title.03, Title 03v2, Title 1-13, Title 03 VOSTFR, Title 03 [Name]
    pattern: new RegExp(
      `(?<!${insensitive(`(?<!\\d(?:st|nd|rd|th) )${seasonWord}|Vol`)}[\\s.]*)(?:(?<=\\S) |(?<=\\p{L})[-.]|(?<=\\p{Script=Han}))${notYear}${notResolution}(?:(?<first>\\d{2,4}(?:\\.\\d(?![\\d.]))?)${more}|(?<from>\\d)[-~～](?<to>\\d{1,4}))(?<letter>[a-d])?${version}(?=$|[\\s.]+${insensitive(tagWord)}|(?:\\s*\\[[^\\]]*\\])+$)`,
      "u",
    ),
    read: ({ from, to, ...groups }) =>
      from === undefined ? readPlain(groups) : { number: toEpisodeNumber(from, to) },
    isWeak: true,
  },
  {
    // 02 Name, 02-Name, 02.Name
    pattern: new RegExp(`^(?:\\[[^\\]]*\\] ?)?(?<first>\\d{1,4})${more}${version}[ .-](?=\\p{L})`, "u"),
    read: readPlain,
    isWeak: true,
    isLeading: true,
  },
  {
    // Title 02 Name: only a leading zero tells the number from one of the title
    pattern: new RegExp(
      `(?<=\\S )(?!00 )(?<first>0\\d{1,2})${more}${version}(?= (?!S\\d|Season)\\p{L}| - )`,
      "u",
    ),
    read: readPlain,
    isWeak: true,
  },
  {
    // Title (3)
    pattern: /(?<=\S )\((?<first>\d)\)$/u,
    read: readPlain,
    isWeak: true,
  },
];

/** Media servers store specials as season 0. */
export function ofSeason(season: number, number: string): { number: string; season?: number } {
  return season === 0 ? { number: `Special ${number}` } : { number, season };
}

/** Returns one spelling for each kind of video other than episodes. */
export function toKind(word: string): string {
  const kind = word.toUpperCase().replaceAll(" ", "").replace("CREDITLESS", "NC").replace(/S$/, "");
  if (kind === "SP" || kind === "SPECIAL" || kind === "EX") return "Special";
  return kind === "MENU" || kind === "PREVIEW" ? kind.charAt(0) + kind.slice(1).toLowerCase() : kind;
}

const kindBefore = /(?<=\S.*)[\s([【-]+(?<kind>OVAs?|OADs?|SPs?|Specials?)[\])】]?[\s.:-]*$/iu;
const kindAfter = new RegExp(`^\\s*(?:- ?)?[[(【]?(?<kind>${kinds})[\\])】]?(?=\\s*(?:$|[[(【]))`, "iu");

/** "OVA" for "Title OVA - 03" and for "Title - 03 OVA"; with the text around number and kind. */
export function findKind(
  before: string,
  after: string,
): { kind: string; before: string; after: string } | undefined {
  const ahead = kindBefore.exec(before);
  if (ahead !== null) {
    return { kind: toKind(ahead.groups?.kind ?? ""), before: before.slice(0, ahead.index), after };
  }
  const behind = kindAfter.exec(after);
  return behind === null
    ? undefined
    : { kind: toKind(behind.groups?.kind ?? ""), before, after: after.slice(behind[0].length) };
}

function readPlain({ first = "", letter: part = "", more: further }: Record<string, string | undefined>) {
  return { number: `${toEpisodeNumber(first, lastOf(further))}${part}` };
}

function readOfSeason(groups: Record<string, string | undefined>): ReadNumber {
  const { season = "", first = "", letter: part = "", more: further } = groups;
  return ofSeason(Number(season), `${toEpisodeNumber(first, lastOf(further))}${part.toLowerCase()}`);
}

/** The last number in the continuation of a range or chain. */
function lastOf(further: string | undefined): string | undefined {
  return further?.replace(/v\d/gi, "").match(/\d+/g)?.at(-1);
}

/** Spells a pattern of letters so that it ignores case in a pattern that does not. */
function insensitive(pattern: string): string {
  return `(?i:${pattern})`;
}
