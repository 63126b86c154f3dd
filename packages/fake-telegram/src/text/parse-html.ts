import type { Json } from "@koma/fake-chat";

/** A text with its entities, and the warnings about its markup. */
export type Parsed = { text: string; entities: readonly Json[]; problems: readonly string[] };

/** Markup that Telegram rejects; the message is Telegram's. */
export class MarkupError extends Error {}

type Open = { tag: string; attributes: Readonly<Record<string, string>>; offset: number };

const plainTags: Readonly<Record<string, string>> = {
  b: "bold",
  strong: "bold",
  i: "italic",
  em: "italic",
  u: "underline",
  ins: "underline",
  s: "strikethrough",
  strike: "strikethrough",
  del: "strikethrough",
  code: "code",
  pre: "pre",
  span: "spoiler",
  "tg-spoiler": "spoiler",
};
const tags = [...Object.keys(plainTags), "a", "blockquote", "tg-emoji", "tg-time"];
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
    const attributes = readAttributes(start[2] ?? "");
    if (tag === "span" && attributes.class !== "tg-spoiler")
      throw failure('Tag "span" must have class "tg-spoiler"');
    if (tag === "tg-emoji" && !attributes["emoji-id"])
      throw failure("Custom emoji entity must have an emoji-id");
    open.push({ tag, attributes, offset: text.length });
    at += start[0].length;
  };

  const close = (tag: string): void => {
    const top = open.pop();
    if (top === undefined) throw failure("Unexpected end tag");
    if (tag !== "" && top.tag !== tag)
      throw failure(`Unmatched end tag, expected "</${top.tag}>", found "</${tag}>"`);
    const entity = describe(top, text.slice(top.offset), open.at(-1)?.tag);
    if (entity && text.length > top.offset) entities.push(entity);
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
  return { text, entities: mergeCode(entities), problems };
}

function describe(open: Open, content: string, parent: string | undefined): Json | undefined {
  const range = { offset: open.offset, length: content.length };
  const { attributes, tag } = open;
  if (tag === "a") {
    const href = attributes.href || content;
    const user = /^tg:\/\/user\?id=(\d+)$/.exec(href)?.[1];
    return user === undefined
      ? { type: "text_link", ...range, url: href }
      : { type: "text_mention", ...range, user: { id: Number(user), is_bot: false, first_name: content } };
  }
  if (tag === "blockquote")
    return { type: "expandable" in attributes ? "expandable_blockquote" : "blockquote", ...range };
  if (tag === "tg-emoji") return { type: "custom_emoji", ...range, custom_emoji_id: attributes["emoji-id"] };
  if (tag === "tg-time") {
    const format = attributes.format ? { date_time_format: attributes.format } : {};
    return { type: "date_time", ...range, unix_time: Number(attributes.unix), ...format };
  }
  const language = tag === "code" ? /^language-(.+)$/.exec(attributes.class ?? "")?.[1] : undefined;
  const type = plainTags[tag];
  return parent === "pre" && language ? { type: "pre", ...range, language } : { type, ...range };
}

/** `<pre><code class="language-…">` is one entity. */
function mergeCode(entities: readonly Json[]): readonly Json[] {
  return entities.filter(
    (one) =>
      one.type !== "pre" ||
      one.language !== undefined ||
      !entities.some((other) => other.language && other.offset === one.offset && other.length === one.length),
  );
}

function readAttributes(text: string): Readonly<Record<string, string>> {
  const found = [...text.matchAll(/([^\s=]+)(?:=(?:"([^"]*)"|'([^']*)'|(\S+)))?/g)];
  return Object.fromEntries(
    found.map(([, name = "", double, single, bare]) => [
      name.toLowerCase(),
      decode(double ?? single ?? bare ?? ""),
    ]),
  );
}

function decode(text: string): string {
  return text.replaceAll(/&(?:#x?[0-9a-f]+|[a-z]+);/gi, (whole) => readEscaped(whole)?.character ?? whole);
}

function readEscaped(text: string): { character: string; length: number } | undefined {
  const found = /^&(?:#x([0-9a-f]+)|#(\d+)|([a-z]+));/i.exec(text);
  if (!found) return undefined;
  const [whole, hexadecimal, decimal, name] = found;
  const code = hexadecimal ? Number.parseInt(hexadecimal, 16) : Number(decimal);
  const character = name ? named[name] : code > 0 && code < 0x110000 ? String.fromCodePoint(code) : undefined;
  return character === undefined ? undefined : { character, length: whole.length };
}
