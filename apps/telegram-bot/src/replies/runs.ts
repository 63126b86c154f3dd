import type { Line, Span } from "@koma/bot-core";

/** How a part of a text looks. */
export type Look = "strong" | "quiet" | "code" | "spoiler" | { url: string };

/** A part of a text that looks the same all over. */
type Run = { text: string; looks: readonly Look[] };

/** A line of a message. */
export type RunLine = readonly Run[];

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** A line of one look. */
export function say(text: string, ...looks: readonly Look[]): RunLine {
  return [{ text, looks }];
}

/** A line as the core says it. */
export function sayLine({ spans, style }: Line): RunLine {
  const runs = spans.map(ofSpan);
  if (style === "heading") return runs.map((run) => withLook(run, "strong"));
  if (style === "quiet") return runs.map((run) => withLook(run, "quiet"));
  const isNumbered = /^\d+\.\s/.test(spans[0]?.text ?? "");
  return style === "item" && !isNumbered ? [{ text: "• ", looks: [] }, ...runs] : runs;
}

/** The line behind a mark that hides it until it is touched. */
export function hide(line: RunLine, isHidden: boolean): RunLine {
  return isHidden ? line.map((run) => withLook(run, "spoiler")) : line;
}

/** A text of at most so many UTF-16 units, cut between what people see as characters. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  let end = 0;
  for (const { index, segment } of graphemes.segment(text)) {
    if (index + segment.length > limit - 1) break;
    end = index + segment.length;
  }
  return `${text.slice(0, end).trimEnd()}…`;
}

/**
 * Lines as Telegram's HTML, of which at most `limit` UTF-16 units can be seen, as Telegram counts. What does not fit is
 * cut; marks are never left open.
 */
export function writeHtml(lines: readonly RunLine[], limit: number): string {
  const written: string[] = [];
  let left = limit;
  for (const [index, line] of lines.entries()) {
    if (index > 0) {
      // Where only the sign of a cut would fit, the line goes as a whole.
      if (left < 2) break;
      written.push("\n");
      left -= 1;
    }
    for (const run of line) {
      const text = left <= 0 ? "" : cut(run.text, left);
      left -= text.length;
      written.push(writeRun({ ...run, text }));
      if (text !== run.text) return written.join("");
    }
  }
  return written.join("");
}

function ofSpan({ text, url, style }: Span): Run {
  if (style === "code") return { text, looks: ["code"] };
  return {
    text,
    looks: [...(style === "strong" ? ["strong" as const] : []), ...(url === undefined ? [] : [{ url }])],
  };
}

function withLook(run: Run, look: Look): Run {
  return run.looks.includes(look) ? run : { ...run, looks: [look, ...run.looks] };
}

function writeRun({ text, looks }: Run): string {
  if (text === "") return "";
  return looks.reduceRight((inner, look) => {
    if (typeof look === "object") return `<a href="${escapeText(look.url)}">${inner}</a>`;
    const tag = { strong: "b", quiet: "i", code: "code", spoiler: "tg-spoiler" }[look];
    return `<${tag}>${inner}</${tag}>`;
  }, escapeText(text));
}

function escapeText(text: string): string {
  return text.replace(
    /[&<>"]/g,
    (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign] ?? sign,
  );
}
