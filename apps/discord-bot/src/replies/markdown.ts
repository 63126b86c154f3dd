import type { Line, Span } from "@koma/bot-core";

/** Plain text as Discord shows it letter by letter: what its markup would read as a sign stands behind a backslash. */
export function escapeText(text: string): string {
  return escapeStart(escapeSigns(text));
}

/** A line in Discord's markup. `isHidden`: behind a spoiler mark, which opens on a click. */
export function writeLine(line: Line, { isHidden = false }: { isHidden?: boolean } = {}): string {
  const text = hide(line.spans.map(writeSpan).join(""), isHidden);
  if (line.style === "heading") return `**${text}**`;
  if (line.style === "quiet") return `-# ${text}`;
  if (line.style === "normal") return escapeStart(text);
  // What is numbered needs no point in front.
  const isNumbered = /^\d+\.\s/.test(line.spans[0]?.text ?? "");
  return isNumbered ? text : `- ${text}`;
}

/** Behind a spoiler mark, where it is to be. */
export function hide(markup: string, isHidden: boolean): string {
  return isHidden && markup !== "" ? `||${markup}||` : markup;
}

function writeLink({ label, url }: { label: string; url: string }): string {
  return `[${escapeSigns(label)}](<${encodeUrl(url)}>)`;
}

function escapeSigns(text: string): string {
  return (
    text
      // Discord's timestamps keep their brackets.
      .replace(/<t:-?\d+:[a-zA-Z]>|[\\*_~|`[\]<>]/g, (sign) => (sign.startsWith("<t:") ? sign : `\\${sign}`))
      // An address in words stays words: only what is meant as a link is one.
      .replace(/\b(https?):\/\//gi, "$1:\u200b//")
  );
}

/** Headings, lists and small print are told by what a line begins with. */
function escapeStart(text: string): string {
  return text.replace(/^(\s*)(#{1,3}|-#|[-+])(?=\s)/gm, "$1\\$2").replace(/^(\s*\d+)\.(?=\s)/gm, "$1\\.");
}

function writeSpan({ text, url, style, channelId }: Span): string {
  if (channelId !== undefined) return `<#${channelId}>`;
  if (style === "code") return `\`${text.replaceAll("`", "ˋ")}\``;
  const written = url === undefined ? escapeSigns(text) : writeLink({ label: text, url });
  return style === "strong" ? `**${written}**` : written;
}

function encodeUrl(url: string): string {
  return url.replace(/[\s<>()]/g, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, "0")}`);
}
