import { escapeHtml } from "@koma/fake-chat";
/**
 * Discord's markdown as HTML: headings, subtext, quotes, lists, emphasis, code, links, spoilers, timestamps,
 * mentions.
 */
export function renderMarkdown(source: string, names: ReadonlyMap<string, string>): string {
  const blocks = source.split(/```(?:\w*\n)?([\s\S]*?)```/);
  return blocks
    .map((block, at) => (at % 2 === 1 ? `<pre>${escapeHtml(block)}</pre>` : renderLines(block, names)))
    .join("");
}

function renderLines(block: string, names: ReadonlyMap<string, string>): string {
  return block
    .split("\n")
    .map((line) => {
      const [, mark = "", rest = ""] = /^(#{1,3}|-#|>|[-*])\s+(.*)$/.exec(line) ?? [];
      const inline = renderInline(mark === "" ? line : rest, names);
      if (mark.startsWith("#")) return `<h${mark.length}>${inline}</h${mark.length}>`;
      if (mark === "-#") return `<small>${inline}</small>`;
      if (mark === ">") return `<blockquote>${inline}</blockquote>`;
      if (mark === "-" || mark === "*") return `<div class="item">${inline}</div>`;
      return inline === "" ? '<div class="gap"></div>' : `<div>${inline}</div>`;
    })
    .join("");
}

function renderInline(text: string, names: ReadonlyMap<string, string>): string {
  const stored: string[] = [];
  const stash = (html: string) => `\uE000${stored.push(html) - 1}\uE000`;
  const marked = text
    .replaceAll(/\\([*_`~|>#[\]()\\-])/g, (_, sign: string) => stash(escapeHtml(sign)))
    .replaceAll(/`([^`]+)`/g, (_, code: string) => stash(`<code>${escapeHtml(code)}</code>`))
    .replaceAll(/\[([^\]]+)\]\(<?(https?:[^)\s>]+)>?\)/g, (_, label: string, url: string) =>
      stash(link(url, label)),
    )
    .replaceAll(/<?(https?:\/\/[^\s>]+)>?/g, (_, url: string) => stash(link(url, url)))
    .replaceAll(/<t:(\d+)(?::(\w))?>/g, (_, seconds: string, style?: string) =>
      stash(time(Number(seconds), style)),
    )
    .replaceAll(/<@!?(\d+)>/g, (_, id: string) =>
      stash(`<span class="mention">@${escapeHtml(names.get(id) ?? id)}</span>`),
    )
    .replaceAll(/<\/([^:>]+):\d+>/g, (_, name: string) =>
      stash(`<span class="mention">/${escapeHtml(name)}</span>`),
    );
  return escapeHtml(marked)
    .replaceAll(/\*\*(.+?)\*\*/g, "<b>$1</b>")
    .replaceAll(/__(.+?)__/g, "<u>$1</u>")
    .replaceAll(/\*(.+?)\*/g, "<i>$1</i>")
    .replaceAll(/(?<!\w)_(.+?)_(?!\w)/g, "<i>$1</i>")
    .replaceAll(/~~(.+?)~~/g, "<s>$1</s>")
    .replaceAll(/\|\|(.+?)\|\|/g, '<span class="spoiler-text">$1</span>')
    .replaceAll(/\uE000(\d+)\uE000/g, (_, at: string) => stored[Number(at)] ?? "");
}

function link(url: string, label: string): string {
  return `<a href="${escapeHtml(url)}">${escapeHtml(label)}</a>`;
}

function time(seconds: number, style: string | undefined): string {
  const instant = new Date(seconds * 1000);
  if (style !== "R") return `<span class="time">${escapeHtml(instant.toUTCString().slice(5, 22))}</span>`;
  const minutes = Math.round((instant.getTime() - Date.now()) / 60_000);
  const format = new Intl.RelativeTimeFormat("en");
  const isNear = Math.abs(minutes) < 90;
  const relative = isNear
    ? format.format(minutes, "minute")
    : format.format(Math.round(minutes / 60), "hour");
  return `<span class="time">${relative}</span>`;
}
