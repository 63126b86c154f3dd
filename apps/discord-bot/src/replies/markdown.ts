import type { Line, Span } from "@koma/bot-core";
import { directionOf, type Language } from "@koma/messages";

/** Escapes Discord's markup, so that the text is shown literally. */
export function escapeText(text: string): string {
  return escapeStart(escapeSigns(text));
}

/** A line in Discord's markup. `isHidden`: behind a spoiler mark, which opens on a click. */
export function writeLine(line: Line, { isHidden = false }: { isHidden?: boolean } = {}): string {
  const text = hide(line.spans.map(writeSpan).join(""), isHidden);
  if (line.style === "heading") return `**${text}**`;
  if (line.style === "quiet") return `-# ${text}`;
  if (line.style === "normal") return escapeStart(text);
  // A numbered line needs no bullet.
  const isNumbered = /^\d+\.\s/.test(line.spans[0]?.text ?? "");
  return isNumbered ? text : `- ${text}`;
}

/** Wraps the markup in a spoiler mark if it is hidden. */
export function hide(markup: string, isHidden: boolean): string {
  return isHidden && markup !== "" ? `||${markup}||` : markup;
}

/**
 * Keeps the order of the lines of a right-to-left language. Discord lays out every line from left to right
 * (discord/discord-api-docs issue 5341), so that its full stop and its numbers would be at the wrong end. The
 * isolates (UAX #9, U+2067 and U+2069) follow the markup that must start a line.
 */
export function orderLines(text: string, language: Language): string {
  if (directionOf(language) === "ltr") return text;
  return text.replace(/^(#{1,3} |-# |- )?(.*\p{Script=Arabic}.*)$/gmu, "$1\u2067$2\u2069");
}

function writeLink({ label, url }: { label: string; url: string }): string {
  return `[${escapeSigns(label)}](<${encodeUrl(url)}>)`;
}

function escapeSigns(text: string): string {
  return (
    text
      // Discord's timestamps keep their brackets.
      .replace(/<t:-?\d+:[a-zA-Z]>|[\\*_~|`[\]<>]/g, (sign) => (sign.startsWith("<t:") ? sign : `\\${sign}`))
      // An address in text is not turned into a link; only links are.
      .replace(/\b(https?):\/\//gi, "$1:\u200b//")
  );
}

/** Headings, lists and subtext depend on the start of a line. */
function escapeStart(text: string): string {
  return text.replace(/^(\s*)(#{1,3}|-#|[-+])(?=\s)/gm, "$1\\$2").replace(/^(\s*\d+)\.(?=\s)/gm, "$1\\.");
}

function writeSpan({ isHidden = false, ...span }: Span): string {
  return hide(writeVisible(span), isHidden);
}

function writeVisible({ text, url, style, channelId }: Span): string {
  if (channelId !== undefined) return `<#${channelId}>`;
  if (style === "code") return `\`${text.replaceAll("`", "ˋ")}\``;
  const written = url === undefined ? escapeSigns(text) : writeLink({ label: text, url });
  return style === "strong" ? `**${written}**` : written;
}

function encodeUrl(url: string): string {
  return url.replace(/[\s<>()]/g, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, "0")}`);
}
