import { escapeHtml } from "@koma/fake-chat";
import type { Message, RenderOptions, SeenButton } from "../types.ts";
import { renderMedia } from "./render-media.ts";
import { renderText } from "./render-text.ts";
import { style } from "./style.ts";

/** The messages as a page in the style of Telegram, with embedded media. */
export function renderChat(messages: readonly Message[], options: RenderOptions = {}): string {
  const viewerId = options.viewer?.id ?? messages.find(({ author }) => !author.isBot)?.author.id;
  const rows = messages.filter(({ isDeleted }) => !isDeleted).map((message) => renderRow(message, viewerId));
  const alert = options.alert === undefined ? "" : `<div class="notice">${escapeHtml(options.alert)}</div>`;
  return `<!doctype html><html><head><meta charset="utf-8"><style>${style}</style></head><body class="${options.theme ?? "light"}">${rows.join("")}${alert}</body></html>`;
}

function renderRow(message: Message, viewerId: number | undefined): string {
  const { raw, media } = message;
  if (!media && raw.text === undefined) return '<div class="service">…</div>';
  const isOwn = message.author.id === viewerId;
  const avatar =
    isOwn || message.chat.kind === "private"
      ? ""
      : `<span class="avatar">${escapeHtml([...message.author.name][0] ?? "?")}</span>`;
  const isBare = media?.kind === "sticker";
  const body =
    isBare && media
      ? renderMedia(media, message.hasSpoiler)
      : `<div class="bubble">${renderBubble(message, isOwn)}</div>`;
  return `<div class="row${isOwn ? " own" : ""}">${avatar}<div class="stack">${body}${renderKeyboard(message)}</div></div>`;
}

function renderBubble(message: Message, isOwn: boolean): string {
  const { media, raw } = message;
  const shown = media ? renderMedia(media, message.hasSpoiler) : "";
  const isAbove = message.isCaptionAbove;
  const when = `<span class="when">${message.editCount > 0 ? "edited " : ""}${new Date(raw.date * 1000).toISOString().slice(11, 16)}</span>`;
  const text = `<div class="inner">${renderText(message.text, message.entities)}${renderPreview(message)}${when}</div>`;
  const reactions = message.reactions.map((emoji) => `<span>${emoji}</span>`).join("");
  return [
    renderName(message, isOwn),
    renderReplied(message),
    isAbove ? text + shown : shown + text,
    reactions && `<div class="reactions">${reactions}</div>`,
  ].join("");
}

function renderName(message: Message, isOwn: boolean): string {
  const origin = message.raw.forward_origin;
  const via = message.isViaBot ? ' <span class="via">via bot</span>' : "";
  const name = message.chat.kind === "private" || isOwn ? "" : escapeHtml(message.author.name);
  const forwarded = origin ? '<span class="via">Forwarded</span>' : "";
  return name || via || forwarded ? `<div class="name">${name}${via} ${forwarded}</div>` : "";
}

function renderReplied(message: Message): string {
  const repliedTo = message.raw.reply_to_message;
  if (!repliedTo) return "";
  const text = message.raw.quote?.text ?? repliedTo.text ?? repliedTo.caption ?? kindOf(repliedTo);
  return `<div class="answered"><b>${escapeHtml(repliedTo.from?.first_name ?? "")}</b><span>${escapeHtml(text)}</span></div>`;
}

function kindOf(repliedTo: object): string {
  const kinds: readonly (readonly [string, string])[] = [
    ["photo", "Photo"],
    ["animation", "GIF"],
    ["video_note", "Video message"],
    ["video", "Video"],
    ["sticker", "Sticker"],
    ["document", "File"],
  ];
  return kinds.find(([field]) => field in repliedTo)?.[1] ?? "Message";
}

/** The address whose preview Telegram would show below a text. */
function renderPreview(message: Message): string {
  const options = message.raw.link_preview_options;
  const link = message.entities.find(({ type }) => type === "url" || type === "text_link");
  if (message.media || !link || options?.is_disabled) return "";
  const text = message.text.slice(link.offset, link.offset + link.length);
  const address = options?.url ?? (link.type === "text_link" ? link.url : text);
  return `<div class="preview">${escapeHtml(address)}</div>`;
}

function renderKeyboard({ keyboard }: Message): string {
  if (keyboard.length === 0) return "";
  const rows = keyboard.map((row) => `<div class="keyrow">${row.map(renderKey).join("")}</div>`);
  return `<div class="keys">${rows.join("")}</div>`;
}

function renderKey({ text, url, raw }: SeenButton): string {
  const buttonStyle = "style" in raw && typeof raw.style === "string" ? ` ${raw.style}` : "";
  return `<div class="key${url === undefined ? "" : " link"}${buttonStyle}">${escapeHtml(text)}</div>`;
}
