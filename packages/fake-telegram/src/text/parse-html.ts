import type { Json } from "@koma/fake-chat";

/** A text with its entities, and the warnings about its markup. */
export type Parsed = { text: string; entities: readonly Json[]; problems: readonly string[] };

/** Markup that Telegram rejects; the message is Telegram's. */
export class MarkupError extends Error {}

type Open = { tag: string; href: string | undefined; offset: number };

/** The tags that the bot writes; the fake rejects Telegram's other tags as well. */
const plainTags: Readonly<Record<string, string>> = {
  b: "bold",
  i: "italic",
  code: "code",
  "tg-spoiler": "spoiler",
};
const tags = [...Object.keys(plainTags), "a"];
const named: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"' };

/** Parses Telegram's HTML. Throws MarkupError for markup that Telegram rejects. */
export function parseHtml(html: string): Parsed {
  const open: Open[] = [];
  const entities: Json[] = [];
  const problems: string[] = [];
  let text = "";
  let at = 0;

  const failure = (message: string): MarkupError =>
    new MarkupError(
      `Bad Request: can't parse entities: ${message} at byte offset ${Buffer.byteLength(html.slice(0, at))}`,
    );

  const readTag = (): void => {
    const end = /^<\/([^\s>]*)\s*>/.exec(html.slice(at));
    if (end) {
      close(end[1]?.toLowerCase() ?? "");
      at += end[0].length;
      return;
    }
    const start = /^<([^\s>/]+)((?:\s+[^\s=>]+(?:=(?:"[^"]*"|'[^']*'|[^\s>"']+))?)*)\s*>/.exec(
      html.slice(at),
    );
    const tag = start?.[1]?.toLowerCase();
    if (!start || tag === undefined) throw failure(`Unclosed or malformed start tag`);
    if (!tags.includes(tag)) throw failure(`Unsupported start tag "${tag}"`);
    open.push({ tag, href: readAddress(start[2] ?? ""), offset: text.length });
    at += start[0].length;
  };

  const close = (tag: string): void => {
    const top = open.pop();
    if (top === undefined) throw failure("Unexpected end tag");
    if (tag !== "" && top.tag !== tag)
      throw failure(`Unmatched end tag, expected "</${top.tag}>", found "</${tag}>"`);
    if (text.length > top.offset) entities.push(describe(top, text.slice(top.offset)));
  };

  while (at < html.length) {
    const character = html.charAt(at);
    if (character === "<") {
      readTag();
      continue;
    }
    const escaped = character === "&" ? readEscaped(html.slice(at)) : undefined;
    if (escaped === undefined && (character === "&" || character === ">"))
      problems.push(`"${character}" is unescaped near "${html.slice(Math.max(0, at - 15), at + 15)}"`);
    text += escaped?.character ?? character;
    at += escaped?.length ?? 1;
  }
  const last = open.at(-1);
  if (last)
    throw new MarkupError(
      `Bad Request: can't parse entities: Can't find end tag corresponding to start tag "${last.tag}"`,
    );
  return { text, entities, problems };
}

function describe({ href, offset, tag }: Open, content: string): Json {
  const range = { offset, length: content.length };
  return tag === "a"
    ? { type: "text_link", ...range, url: href || content }
    : { type: plainTags[tag], ...range };
}

/** The address in the attributes of a link. */
function readAddress(attributes: string): string | undefined {
  const [, double, single, bare] = /\shref=(?:"([^"]*)"|'([^']*)'|(\S+))/i.exec(attributes) ?? [];
  return (double ?? single ?? bare)?.replaceAll(
    /&(?:#x?[0-9a-f]+|[a-z]+);/gi,
    (whole) => readEscaped(whole)?.character ?? whole,
  );
}

function readEscaped(text: string): { character: string; length: number } | undefined {
  const found = /^&(?:#x([0-9a-f]+)|#(\d+)|([a-z]+));/i.exec(text);
  if (!found) return undefined;
  const [whole, hexadecimal, decimal, name] = found;
  const code = hexadecimal ? Number.parseInt(hexadecimal, 16) : Number(decimal);
  const character = name ? named[name] : code > 0 && code < 0x110000 ? String.fromCodePoint(code) : undefined;
  return character === undefined ? undefined : { character, length: whole.length };
}
