import type { Message, RenderOptions, SeenButton } from "../types.ts";
import { renderMedia } from "./render-media.ts";
import { escapeHtml, renderText } from "./render-text.ts";
import { style } from "./style.ts";

/** The messages as a page in Telegram's look, media inside. */
export function renderChat(messages: readonly Message[], options: RenderOptions = {}): string {
  const viewerId = options.viewer?.id ?? messages.find(({ author }) => !author.isBot)?.author.id;
  const rows = messages.filter(({ isDeleted }) => !isDeleted).map((message) => renderRow(message, viewerId));
  const notice =
    options.notice === undefined ? "" : `<div class="notice">${escapeHtml(options.notice)}</div>`;
  return `<!doctype html><html><head><meta charset="utf-8"><style>${style}</style></head><body class="${options.theme ?? "light"}">${rows.join("")}${notice}</body></html>`;
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
    isBare && media ? renderMedia(media) : `<div class="bubble">${renderBubble(message, isOwn)}</div>`;
  return `<div class="row${isOwn ? " own" : ""}">${avatar}<div class="stack">${body}${renderKeyboard(message)}</div></div>`;
}

function renderBubble(message: Message, isOwn: boolean): string {
  const { media, raw } = message;
  const shown = media ? renderMedia(media) : "";
  const isAbove = "show_caption_above_media" in raw && raw.show_caption_above_media === true;
  const when = `<span class="when">${message.editCount > 0 ? "edited " : ""}${new Date(raw.date * 1000).toISOString().slice(11, 16)}</span>`;
  const text = `<div class="inner">${renderText(message.text, message.entities)}${renderPreview(message)}${when}</div>`;
  const reactions = message.reactions.map((emoji) => `<span>${emoji}</span>`).join("");
  return [
    renderName(message, isOwn),
    renderAnswered(message),
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

function renderAnswered(message: Message): string {
  const answered = message.raw.reply_to_message;
  if (!answered) return "";
  const said = message.quote ?? answered.text ?? answered.caption ?? kindOf(answered);
  return `<div class="answered"><b>${escapeHtml(answered.from?.first_name ?? "")}</b><span>${escapeHtml(said)}</span></div>`;
}

function kindOf(answered: object): string {
  const kinds: readonly (readonly [string, string])[] = [
    ["photo", "Photo"],
    ["animation", "GIF"],
    ["video_note", "Video message"],
    ["video", "Video"],
    ["sticker", "Sticker"],
    ["document", "File"],
  ];
  return kinds.find(([field]) => field in answered)?.[1] ?? "Message";
}

/** The address whose preview Telegram would show below a text. */
function renderPreview(message: Message): string {
  const options = message.raw.link_preview_options;
  const link = message.entities.find(({ type }) => type === "url" || type === "text_link");
  if (message.media || !link || options?.is_disabled) return "";
  const said = message.text.slice(link.offset, link.offset + link.length);
  const address = options?.url ?? (link.type === "text_link" ? link.url : said);
  return `<div class="preview">${escapeHtml(address)}</div>`;
}

function renderKeyboard({ keyboard }: Message): string {
  if (keyboard.length === 0) return "";
  const rows = keyboard.map((row) => `<div class="keyrow">${row.map(renderKey).join("")}</div>`);
  return `<div class="keys">${rows.join("")}</div>`;
}

function renderKey({ text, url, raw }: SeenButton): string {
  const look = "style" in raw && typeof raw.style === "string" ? ` ${raw.style}` : "";
  return `<div class="key${url === undefined ? "" : " link"}${look}">${escapeHtml(text)}</div>`;
}
