import type { Json } from "@koma/fake-chat";

/** A text with its entities, and the warnings about its markup. */
export type Parsed = { text: string; entities: readonly Json[]; problems: readonly string[] };

/** Markup that Telegram rejects. */
export class MarkupError extends Error {}

/** The tags that the bot writes; the fake rejects Telegram's other tags as well. */
const types: Readonly<Record<string, string>> = {
  a: "text_link",
  b: "bold",
  i: "italic",
  code: "code",
  "tg-spoiler": "spoiler",
};
const named: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"' };
const tokens = /<\/([\w-]+)>|<([\w-]+)(?: href="([^"]*)")?>|&(lt|gt|amp|quot);|[\s\S]/gu;

/** Parses Telegram's HTML. Throws MarkupError for markup that Telegram rejects. */
export function parseHtml(html: string): Parsed {
  const open: { tag: string; href: string; offset: number }[] = [];
  const entities: Json[] = [];
  const problems: string[] = [];
  let text = "";
  for (const [token, end, tag, href = "", name = ""] of html.matchAll(tokens)) {
    if (end !== undefined) {
      const top = open.pop();
      if (top?.tag !== end) throw new MarkupError(`Unmatched end tag "${end}"`);
      const { offset } = top;
      const url = end === "a" ? { url: unescaped(top.href) } : {};
      if (text.length > offset)
        entities.push({ type: types[end], offset, length: text.length - offset, ...url });
    } else if (tag !== undefined) {
      if (types[tag] === undefined) throw new MarkupError(`Unsupported start tag "${tag}"`);
      open.push({ tag, href, offset: text.length });
    } else if (token === "<") throw new MarkupError("A malformed start tag");
    else {
      if (token === "&" || token === ">") problems.push(`"${token}" is unescaped after "${text.slice(-15)}"`);
      text += named[name] ?? token;
    }
  }
  const last = open.at(-1);
  if (last) throw new MarkupError(`Can't find end tag corresponding to start tag "${last.tag}"`);
  return { text, entities, problems };
}

function unescaped(text: string): string {
  return text.replaceAll(/&(lt|gt|amp|quot);/g, (whole, name: string) => named[name] ?? whole);
}
