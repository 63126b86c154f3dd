import type { Line, Span } from "@koma/bot-core";

/** The style of a part of a text. */
export type TextStyle = "strong" | "quiet" | "code" | "spoiler" | { url: string };

/** A part of a text with uniform style. */
type Run = { text: string; styles: readonly TextStyle[] };

/** A line of a message. */
export type RunLine = readonly Run[];

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** A line with one style. */
export function toRun(text: string, ...styles: readonly TextStyle[]): RunLine {
  return [{ text, styles }];
}

/** A line of the core's reply. */
export function toRunLine({ spans, style }: Line): RunLine {
  const runs = spans.map(ofSpan);
  if (style === "heading") return runs.map((run) => withStyle(run, "strong"));
  if (style === "quiet") return runs.map((run) => withStyle(run, "quiet"));
  const isNumbered = /^\d+\.\s/.test(spans[0]?.text ?? "");
  return style === "item" && !isNumbered ? [{ text: "• ", styles: [] }, ...runs] : runs;
}

/** Hides the line behind a spoiler mark. */
export function hide(line: RunLine, isHidden: boolean): RunLine {
  return isHidden ? line.map((run) => withStyle(run, "spoiler")) : line;
}

/** Truncates a text to `limit` UTF-16 units at a grapheme boundary. */
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
 * Lines as Telegram's HTML with at most `limit` visible UTF-16 units, as Telegram counts them. Longer text is
 * truncated, and tags are always closed.
 */
export function writeHtml(lines: readonly RunLine[], limit: number): string {
  const written: string[] = [];
  let left = limit;
  for (const [index, line] of lines.entries()) {
    if (index > 0) {
      // If only the ellipsis would fit, the whole line is dropped.
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

/** Lines as text without formatting, of at most `limit` UTF-16 units. */
export function writePlain(lines: readonly RunLine[], limit: number): string {
  return cut(lines.map((line) => line.map(({ text }) => text).join("")).join("\n"), limit);
}

function ofSpan({ text, url, style, isHidden }: Span): Run {
  if (style === "code") return { text, styles: ["code"] };
  return {
    text,
    styles: [
      ...(isHidden === true ? ["spoiler" as const] : []),
      ...(style === "strong" ? ["strong" as const] : []),
      ...(url === undefined ? [] : [{ url }]),
    ],
  };
}

function withStyle(run: Run, style: TextStyle): Run {
  return run.styles.includes(style) ? run : { ...run, styles: [style, ...run.styles] };
}

function writeRun({ text, styles }: Run): string {
  if (text === "") return "";
  return styles.reduceRight((inner, style) => {
    if (typeof style === "object") return `<a href="${escapeText(style.url)}">${inner}</a>`;
    const tag = { strong: "b", quiet: "i", code: "code", spoiler: "tg-spoiler" }[style];
    return `<${tag}>${inner}</${tag}>`;
  }, escapeText(text));
}

function escapeText(text: string): string {
  return text.replace(
    /[&<>"]/g,
    (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign] ?? sign,
  );
}
