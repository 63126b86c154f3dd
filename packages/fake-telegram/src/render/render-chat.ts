import { escapeHtml, probe, renderFile, toDataUrl } from "@koma/fake-chat";
import type { MessageEntity } from "grammy/types";
import type { Message, RenderOptions, StoredFile } from "../types.ts";
import { style } from "./style.ts";

/** The messages as a page in the style of Telegram, with embedded media. */
export function renderChat(
  messages: readonly Message[],
  { alert, theme = "light", viewer }: RenderOptions = {},
): string {
  const viewerId = viewer?.id ?? messages.find(({ author }) => !author.isBot)?.author.id;
  const rows = messages.filter(({ isDeleted }) => !isDeleted).map((message) => renderRow(message, viewerId));
  const shown = alert === undefined ? "" : `<div class="notice">${escapeHtml(alert)}</div>`;
  return `<!doctype html><html><head><meta charset="utf-8"><style>${style}</style></head><body class="${theme}">${rows.join("")}${shown}</body></html>`;
}

function renderRow(message: Message, viewerId: number | undefined): string {
  const { author, chat, keyboard, media, service } = message;
  if (service) return '<div class="service">…</div>';
  const isOwn = author.id === viewerId;
  const isNamed = !isOwn && chat.kind !== "private";
  const avatar = isNamed ? `<span class="avatar">${escapeHtml([...author.name][0] ?? "?")}</span>` : "";
  const body =
    media?.kind === "sticker"
      ? renderMedia(media, false)
      : `<div class="bubble">${renderBubble(message, isNamed)}</div>`;
  const rows = keyboard.map((row) => {
    const keys = row.map(
      ({ text, url }) => `<div class="key${url === undefined ? "" : " link"}">${escapeHtml(text)}</div>`,
    );
    return `<div class="keyrow">${keys.join("")}</div>`;
  });
  const keys = rows.length > 0 ? `<div class="keys">${rows.join("")}</div>` : "";
  return `<div class="row${isOwn ? " own" : ""}">${avatar}<div class="stack">${body}${keys}</div></div>`;
}

function renderBubble(message: Message, isNamed: boolean): string {
  const { author, date, editCount, entities, hasSpoiler, isCaptionAbove, media, reactions, replyTo } =
    message;
  const marks = [message.isViaBot ? "via bot" : "", message.forwardOrigin ? "Forwarded" : ""].filter(Boolean);
  const via = marks.map((mark) => ` <span class="via">${mark}</span>`).join("");
  const name = isNamed ? escapeHtml(author.name) : "";
  const replied =
    replyTo &&
    `<div class="answered"><b>${escapeHtml(replyTo.author.name)}</b><span>${escapeHtml(replyTo.text || (replyTo.media?.kind ?? "Message"))}</span></div>`;
  const shown = media ? renderMedia(media, hasSpoiler) : "";
  const time = new Date(date * 1000).toISOString().slice(11, 16);
  const when = `<span class="when">${editCount > 0 ? "edited " : ""}${time}</span>`;
  const text = `<div class="inner">${renderText(message.text, entities)}${renderPreview(message)}${when}</div>`;
  return [
    name || via ? `<div class="name">${name}${via}</div>` : "",
    replied,
    isCaptionAbove ? text + shown : shown + text,
    reactions.length > 0 &&
      `<div class="reactions">${reactions.map((emoji) => `<span>${emoji}</span>`).join("")}</div>`,
  ]
    .filter(Boolean)
    .join("");
}

/** The address whose preview Telegram would show below a text. */
function renderPreview({ entities, linkPreview, media, text }: Message): string {
  const link = entities.find(({ type }) => type === "url" || type === "text_link");
  if (media || !link || linkPreview?.is_disabled) return "";
  const own = link.type === "text_link" ? link.url : text.slice(link.offset, link.offset + link.length);
  return `<div class="preview">${escapeHtml(String(linkPreview?.url ?? own))}</div>`;
}

/** The image, clip or file of a message; a clip shows its thumbnail, because a browser possibly cannot play it. */
function renderMedia(media: StoredFile, hasSpoiler: boolean): string {
  const {
    bytes,
    duration = 0,
    height,
    kind,
    mimeType = "video/mp4",
    name = "file",
    thumbnail,
    width,
  } = media;
  if (kind === "document") return renderFile(name, bytes.length);
  const { format, isImage } = probe(bytes);
  const still = isImage
    ? toDataUrl(bytes, `image/${format}`)
    : thumbnail && toDataUrl(thumbnail.bytes, "image/jpeg");
  const shown = still
    ? `<img src="${still}">`
    : `<video muted preload="auto" src="${toDataUrl(bytes, mimeType)}"></video>`;
  if (kind === "sticker") return `<div class="sticker">${shown}</div>`;
  const shape = width && height ? ` style="aspect-ratio: ${width} / ${height}; max-height: 420px"` : "";
  const length = `▶ ${Math.floor(duration / 60)}:${String(duration % 60).padStart(2, "0")}`;
  const badge = kind === "photo" ? "" : `<span class="badge">${kind === "animation" ? "GIF" : length}</span>`;
  return `<span class="media${hasSpoiler ? " veiled" : ""}"${shape}>${shown}${badge}</span>`;
}

const tags: Readonly<Partial<Record<MessageEntity["type"], readonly [string, string]>>> = {
  bold: ["<b>", "</b>"],
  italic: ["<i>", "</i>"],
  code: ["<code>", "</code>"],
  spoiler: ['<span class="spoiler">', "</span>"],
};

/** A text with its entities as HTML. Entities are nested or separate, so tags never overlap. */
function renderText(text: string, entities: readonly MessageEntity[]): string {
  const ends = entities.flatMap(({ offset, length }) => [offset, offset + length]);
  const positions = [...new Set([0, text.length, ...ends])].toSorted((one, other) => one - other);
  const byLength = entities.toSorted((one, other) => other.length - one.length);
  return positions
    .map((at, index) => {
      const closed = byLength.toReversed().filter((one) => one.offset + one.length === at);
      const opened = byLength.filter((one) => one.offset === at && one.length > 0);
      const marks = [
        ...closed.map(({ type }) => tags[type]?.[1] ?? "</a>"),
        ...opened.map(({ type }) => tags[type]?.[0] ?? "<a>"),
      ];
      return `${marks.join("")}${escapeHtml(text.slice(at, positions[index + 1] ?? at))}`;
    })
    .join("");
}
