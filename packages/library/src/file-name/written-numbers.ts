const kanjiDigits = "〇一二三四五六七八九";
const ordinals = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"];

/** Pattern (without groups) of a number in ASCII digits or in kanji below 100. */
export const writtenNumber = "(?:\\d{1,4}|[〇一二三四五六七八九十]{1,3})";

/** Returns the value of a match of `writtenNumber`, of an English ordinal or of a Roman numeral below 40. */
export function readNumber(text: string): number | undefined {
  if (/^\d+$/.test(text)) return Number(text);
  const ordinal = ordinals.indexOf(text.toLowerCase());
  if (ordinal >= 0) return ordinal + 1;
  return readRoman(text) ?? readKanji(text);
}

/** "03" -> "3", "13.50" -> "13.5", ("01", "02") -> "1-2". */
export function toEpisodeNumber(first: string, last?: string | undefined): string {
  const from = toPlain(first);
  const to = last === undefined ? from : toPlain(last);
  return from === to || Number(to) < Number(from) ? from : `${from}-${to}`;
}

function toPlain(text: string): string {
  const value = text.includes(".") ? Number(text) : readNumber(text);
  return value === undefined ? text : String(value);
}

function readKanji(text: string): number | undefined {
  if (!/^[〇一二三四五六七八九十]+$/.test(text)) return undefined;
  const [tens, ones] = text.includes("十") ? text.split("十") : ["", text];
  if (ones === undefined || ones.length > 1 || (tens?.length ?? 0) > 1) return undefined;
  const ten = text.includes("十") ? (tens === "" ? 1 : kanjiDigits.indexOf(tens ?? "")) : 0;
  return ten * 10 + (ones === "" ? 0 : kanjiDigits.indexOf(ones));
}

function readRoman(text: string): number | undefined {
  const parts = /^(?<tens>X{0,3})(?<ones>IX|IV|V?I{0,3})$/.exec(text)?.groups;
  if (text === "" || parts?.ones === undefined) return undefined;
  const ones = ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"].indexOf(parts.ones);
  return (parts.tens?.length ?? 0) * 10 + ones;
}
