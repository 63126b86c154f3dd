import { toEpisodeNumber, writtenNumber } from "./written-numbers.ts";

/** The episode number in a name, and the parts of the name around it. */
export type Numbering = {
  /** "3", "13.5", "1-2", "OVA 2"; null when only the kind of video was found. */
  number: string;
  season?: number | undefined;
  before: string;
  after: string;
};

type Rule = {
  pattern: RegExp;
  read(groups: Record<string, string | undefined>): { number: string; season?: number | undefined };
};

const numeral = "\\d{1,4}(?:\\.\\d)?";
const end = "(?=$|[\\s\\]\\[(【「_-])";
const version = "(?:v\\d)?(?: ?(?:END|FIN(?:AL)?)\\b)?";
const notYear = "(?!(?:19|20)\\d{2}(?!\\d))";
const notResolution = "(?!(?:480|540|576|720|1080|1440|2160)\\b)";

const plain: Rule["read"] = ({ first = "", last }) => ({ number: toEpisodeNumber(first, last) });

// Ordered from the most explicit notation to the least; the first match decides.
const rules: Rule[] = [
  {
    // S02E03, S02.E03, S01E01-E02, S01E01E02, S01E01-02
    pattern: new RegExp(
      `(?<![a-z0-9])S(?<season>\\d{1,2})[\\s._-]*(?:E|EP)(?<first>${numeral})(?:[-~]?EP?(?<last>\\d{1,4})|[-~](?<upTo>\\d{1,4}))?${version}${end}`,
      "i",
    ),
    read: ({ season = "", first = "", last, upTo }) =>
      ofSeason(Number(season), toEpisodeNumber(first, last ?? upTo)),
  },
  {
    // 2x03
    pattern: /(?<![a-z0-9])(?<season>\d{1,2})x(?<first>\d{2,3})(?![a-z0-9])/i,
    read: ({ season = "", first = "" }) => ofSeason(Number(season), toEpisodeNumber(first)),
  },
  {
    // OVA 2, OVA - 02, SP1, NCOP1, NCED 2a, (OVA), Special 02, OVA第2話. A title may begin with such a word, so
    // the pattern requires text before it.
    pattern: new RegExp(
      `(?<=\\S[\\s_[(【-]{1,3}|^)\\b(?<kind>OVAs?|OADs?|SPs?|Specials?|NC ?OP|NC ?ED|OP|ED|PV|CM|Menu|Preview|Creditless (?:OP|ED))[\\])】]?(?:[\\s._-]*(?:(?:E|EP|第|#)?(?<first>\\d{1,3}(?:\\.\\d)?)(?:[-~](?<last>\\d{1,3}))?(?:話|话|集)?(?<letter>[a-d])?)${version})?(?=$|[\\s\\])】_[(「])(?! (?!- )[^\\s[(【「-])`,
      "i",
    ),
    read: ({ kind = "", first, last, letter = "" }) => {
      const number = first === undefined ? "" : ` ${toEpisodeNumber(first, last)}${letter.toLowerCase()}`;
      return { number: `${toKind(kind)}${number}` };
    },
  },
  {
    // 第03話, 第3集, 第十二回, 第01-02話, 03話
    pattern: new RegExp(
      `第\\s*(?<first>${writtenNumber}(?:\\.\\d)?)(?:\\s*[-~～]\\s*第?(?<last>${writtenNumber}))?\\s*(?:話|话|集|回|夜|幕|羽|章)|(?<![\\d.])(?<bare>${numeral})\\s*[話话集]`,
    ),
    read: ({ first, last, bare = "" }) => ({ number: toEpisodeNumber(first ?? bare, last) }),
  },
  {
    // Episode 3, Ep. 03, EP03, E03, #3
    pattern: new RegExp(
      `(?<![\\p{L}\\d])(?:(?:Episode|Épisode|Episodio|Folge|Ep|E)s?[\\s._-]*|#\\s?)(?<first>${numeral})(?:\\s?[-~]\\s?(?:EP?)?(?<last>\\d{1,4}))?${version}${end}`,
      "iu",
    ),
    read: plain,
  },
  {
    // Title - 03, Title - 13.5v2, Title - 01-02 END, Title - 03 - Name
    pattern: new RegExp(
      `(?:(?<=\\S )- ?|^- )${notYear}${notResolution}(?<first>${numeral})(?:\\s?[-~～]\\s?(?<last>\\d{1,4}))?${version}(?=$| ?[\\[(【「]| - |\\. )`,
    ),
    read: plain,
  },
  {
    // [03], [03v2], [01-12], [03 END], (03)
    pattern: new RegExp(
      `[[【(]${notYear}${notResolution}(?<first>${numeral})(?:\\s?[-~]\\s?(?<last>\\d{1,4}))?${version}[\\])】]`,
      "i",
    ),
    read: plain,
  },
  {
    // 03 - Name, 03. Name, 03
    pattern: new RegExp(`^(?<first>${numeral})${version}(?=$|\\.? - |\\. | ?[\\[(【「])`),
    read: plain,
  },
  {
    // Title 03, Title-03, Title 03v2
    pattern: new RegExp(
      `(?:(?<=\\S) |(?<=\\p{L})-)${notYear}(?<first>\\d{2,4}(?:\\.\\d)?)(?:[-~](?<last>\\d{2,4}))?${version}$`,
      "u",
    ),
    read: plain,
  },
];

/** Finds the number of an episode in a tidy name without technical words; undefined when it contains none. */
export function findNumbering(name: string): Numbering | undefined {
  for (const rule of rules) {
    const match = rule.pattern.exec(name);
    if (match === null) continue;
    const before = name.slice(0, match.index);
    const after = name.slice(match.index + match[0].length);
    return { ...rule.read(match.groups ?? {}), before, after };
  }
  return undefined;
}

/** Media servers store specials as season 0. */
export function ofSeason(season: number, number: string): { number: string; season?: number } {
  return season === 0 ? { number: `Special ${number}` } : { number, season };
}

/** Returns one spelling for each kind of video other than episodes. */
export function toKind(word: string): string {
  const kind = word.toUpperCase().replaceAll(" ", "").replace("CREDITLESS", "NC").replace(/S$/, "");
  if (kind === "SP" || kind === "SPECIAL") return "Special";
  return kind === "MENU" || kind === "PREVIEW" ? kind.charAt(0) + kind.slice(1).toLowerCase() : kind;
}
