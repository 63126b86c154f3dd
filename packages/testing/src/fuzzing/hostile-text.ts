import type { Random } from "../drawing/random.ts";

const fragments: readonly [string, ...string[]] = [
  "",
  " ",
  "\0",
  "\t",
  "\r\n",
  "\x7f",
  "\x1b[2J",
  "'",
  '"',
  "\\",
  "%",
  "%00",
  "%2e%2e%2f",
  "%ff",
  "../",
  "..\\",
  "/etc/passwd",
  "C:\\Windows",
  "a",
  "0",
  "-1",
  "1e999",
  "NaN",
  "null",
  "undefined",
  "true",
  "[object Object]",
  "__proto__",
  "constructor",
  "toString",
  "{{7*7}}",
  "#{7*7}",
  "<script>",
  "<!--",
  "' OR 1=1 --",
  "; DROP TABLE x",
  "*",
  "?",
  "#",
  "&",
  "=",
  "://",
  "\u00e9",
  "\u0301",
  "\u202e",
  "\u200b",
  "\ufeff",
  "\ufffd",
  "\ud800",
  "\udc00",
  "\u{1f600}",
  "\u{10ffff}",
  "日本語",
  "İ",
  "ß",
];

/** Returns text of fragments that parsers, file systems and databases interpret, some of it long. */
export function hostileText(random: Random): string {
  const text = Array.from({ length: random.whole(0, 6) }, () => random.pick(fragments)).join("");
  return random.chance(0.05) ? text.padEnd(random.whole(100, 6000), random.pick(["a", "é", "/", "."])) : text;
}

/** Returns a changed copy of a text: characters that are removed, repeated or replaced by fragments. */
export function mutateText(random: Random, text: string): string {
  let mutated = text;
  for (let change = random.whole(1, 4); change > 0; change--) {
    const at = random.whole(0, mutated.length);
    const end = Math.min(mutated.length, at + random.whole(0, 4));
    const between = random.chance(0.3)
      ? mutated.slice(at, end).repeat(random.whole(0, 3))
      : random.pick(fragments);
    mutated = mutated.slice(0, at) + between + mutated.slice(end);
  }
  return mutated;
}

/** The words of texts, which one space separates, to pick one of them. */
export function words(...texts: readonly [string, ...string[]]): readonly [string, ...string[]] {
  const [first, ...rest] = texts.join(" ").split(" ");
  return [first ?? "", ...rest];
}
