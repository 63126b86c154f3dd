import {
  asNumber,
  asObject,
  asObjects,
  asText,
  escapeHtml,
  type Json,
  renderFile,
  toDataUrl,
} from "@koma/fake-chat";
import { isSelect } from "../describe/components.ts";
import type { Message } from "../types.ts";
import { style } from "./style.ts";

/** A page that shows the message in the style of one of Discord's themes, with embedded images. */
export function renderMessage(
  message: Message,
  { theme = "dark" }: { theme?: "light" | "dark" } = {},
): string {
  const { author, interaction, isEphemeral, raw } = message;
  const used = interaction?.command
    ? `<div class="used"><b>${escapeHtml(interaction.user.name)}</b> used <a>/${escapeHtml(interaction.command.name)}</a></div>`
    : "";
  const body = message.isThinking
    ? '<div class="thinking">● ● ● is thinking…</div>'
    : [
        renderMarkdown(message.content),
        ...renderAttachments(message),
        ...asObjects(raw.components).map(renderer(message)),
      ].join("");
  const alert = isEphemeral ? '<div class="notice">👁 Only you can see this • Dismiss message</div>' : "";
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><style>${style}</style></head><body class="${theme}">
<div class="message${isEphemeral ? " private" : ""}">${used}
<div class="avatar">${escapeHtml(author.name.slice(0, 1))}</div>
<div><span class="name">${escapeHtml(author.name)}</span>${author.isBot ? '<span class="app">APP</span>' : ""}<span class="when">${raw.timestamp.slice(11, 16)}</span>
${body}</div>${alert}</div></body></html>`;
}

/** Discord shows files below components V2 only if a component references them. */
function renderAttachments({ files, isComponentsV2 }: Message): readonly string[] {
  if (isComponentsV2) return [];
  return files.map(({ bytes, contentType, name }) =>
    /^(image|video)\//.test(contentType)
      ? renderMedia(bytes, contentType, name.startsWith("SPOILER_"))
      : renderFile(name, bytes.length),
  );
}

function renderMedia(bytes: Uint8Array, type: string, isSpoiler: boolean): string {
  const source = toDataUrl(bytes, type);
  const inner = type.startsWith("video/")
    ? `<video muted preload="auto" src="${source}#t=0.1"></video><span class="play">▶ clip</span>`
    : `<img alt="" src="${source}">`;
  return `<div class="media${isSpoiler ? " spoiler" : ""}">${inner}</div>`;
}

/** Renders components in Discord's format as HTML. */
function renderer({ files, media }: Message) {
  const renderShown = ({ media: shown, spoiler }: Json): string => {
    const url = asText(asObject(shown)?.url) ?? "";
    const file = files.find(({ id }) => url.includes(`/${id}/`));
    const bytes = file?.bytes ?? media.find((one) => one.url === url)?.bytes;
    return bytes
      ? renderMedia(bytes, file?.contentType ?? "image/*", spoiler === true)
      : `<div class="missing">${escapeHtml(url.replace(/\?.*/, ""))}</div>`;
  };

  const render = (component: Json): string => {
    const children = asObjects(component.components).map(render).join("");
    if (isSelect(component)) return renderSelect(component);
    switch (component.type) {
      case 1:
        return `<div class="row">${children}</div>`;
      case 2: {
        const label = [asObject(component.emoji)?.name, component.label].flatMap(
          (part) => asText(part) ?? [],
        );
        const state = component.disabled === true ? " disabled" : "";
        return `<span class="button style${String(component.style)}${state}">${escapeHtml(label.join(" "))}</span>`;
      }
      case 9: {
        const accessory = asObject(component.accessory) ?? {};
        const shown = accessory.type === 2 ? render(accessory) : renderShown(accessory);
        return `<div class="section"><div class="texts">${children}</div><div>${shown}</div></div>`;
      }
      case 10:
        return renderMarkdown(asText(component.content) ?? "");
      case 12: {
        const items = asObjects(component.items).map(renderShown);
        return `<div class="gallery${items.length > 1 ? " many" : ""}">${items.join("")}</div>`;
      }
      case 13:
        return renderFile(asText(component.name) ?? "file", asNumber(component.size) ?? 0);
      case 14:
        return `<hr class="${component.spacing === 2 ? "large" : ""}">`;
      case 17: {
        const color = asNumber(component.accent_color)?.toString(16).padStart(6, "0");
        const bar = color === undefined ? "" : `<div class="bar" style="background:#${color}"></div>`;
        return `<div class="container${color === undefined ? "" : " accent"}">${bar}${children}</div>`;
      }
      default:
        return `<div class="missing">component of type ${escapeHtml(String(component.type))}</div>`;
    }
  };
  return render;
}

function renderSelect(select: Json): string {
  const options = asObjects(select.options);
  const chosen = options.find((option) => option.default === true);
  const shown = asText(chosen?.label) ?? asText(select.placeholder) ?? "Make a selection";
  const list = options.map(({ description, label }) => {
    const more = asText(description) ? `<small>${escapeHtml(String(description))}</small>` : "";
    return `<div>${escapeHtml(String(label))}${more}</div>`;
  });
  return `<div class="choice"><div class="select"><span>${escapeHtml(shown)}</span><span>⌄</span></div><div class="options">${list.join("")}</div></div>`;
}

/** The markdown that the bot sends: headings, subtext, lists, emphasis, code, links, spoilers, times, mentions. */
function renderMarkdown(source: string): string {
  if (source === "") return "";
  const lines = source.split("\n").map((line) => {
    const [, mark = "", rest = line] = /^(#{1,3}|-#|[-*])\s+(.*)$/.exec(line) ?? [];
    const inline = renderInline(rest);
    if (mark.startsWith("#")) return `<h${mark.length}>${inline}</h${mark.length}>`;
    if (mark === "-#") return `<small>${inline}</small>`;
    if (mark !== "") return `<div class="item">${inline}</div>`;
    return inline === "" ? '<div class="gap"></div>' : `<div>${inline}</div>`;
  });
  return `<div class="text">${lines.join("")}</div>`;
}

function renderInline(text: string): string {
  const stored: string[] = [];
  const stash = (html: string) => `\uE000${stored.push(html) - 1}\uE000`;
  const marked = text
    .replaceAll(/\\([*_`~|>#[\]()\\-])/g, (_, sign: string) => stash(escapeHtml(sign)))
    .replaceAll(/`([^`]+)`/g, (_, code: string) => stash(`<code>${escapeHtml(code)}</code>`))
    .replaceAll(/\[([^\]]+)\]\(<?(https?:[^)\s>]+)>?\)/g, (_, label: string, url: string) =>
      stash(`<a href="${escapeHtml(url)}">${escapeHtml(label)}</a>`),
    )
    .replaceAll(/<t:(\d+)(?::\w)?>/g, (_, seconds: string) =>
      stash(`<span class="time">${new Date(Number(seconds) * 1000).toUTCString().slice(5, 22)}</span>`),
    )
    .replaceAll(/<@!?\d+>/g, () => stash('<span class="mention">@user</span>'));
  return escapeHtml(marked)
    .replaceAll(/\*\*(.+?)\*\*/g, "<b>$1</b>")
    .replaceAll(/\*(.+?)\*/g, "<i>$1</i>")
    .replaceAll(/\|\|(.+?)\|\|/g, '<span class="spoiler-text">$1</span>')
    .replaceAll(/\uE000(\d+)\uE000/g, (_, at: string) => stored[Number(at)] ?? "");
}
