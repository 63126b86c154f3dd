import { probe } from "../state/probe.ts";
import type { SeenMedia } from "../types.ts";
import { escapeHtml } from "./render-text.ts";

/** The image, clip or file of a message. */
export function renderMedia(media: SeenMedia): string {
  const { format, isImage } = probe(media.bytes);
  if (media.kind === "document") return renderFile(media);
  if (media.kind === "sticker" && isImage)
    return `<div class="sticker"><img src="${toAddress(media.bytes, `image/${format}`)}"></div>`;
  const veil = media.hasSpoiler ? " veiled" : "";
  const shape =
    media.width && media.height
      ? ` style="aspect-ratio: ${media.width} / ${media.height}; max-height: 420px"`
      : "";
  const badge = badgeOf(media);
  return `<span class="media${veil}"${shape}>${isImage ? image(media, format) : clip(media)}${badge}</span>`;
}

function image(media: SeenMedia, format: string): string {
  return `<img src="${toAddress(media.bytes, `image/${format}`)}">`;
}

/** A clip shows its thumbnail if there is one, because a browser possibly cannot play it. */
function clip(media: SeenMedia): string {
  if (media.thumbnail) return `<img src="${toAddress(media.thumbnail, "image/jpeg")}">`;
  return `<video muted preload="auto" src="${toAddress(media.bytes, media.mimeType ?? "video/mp4")}"></video>`;
}

function badgeOf({ kind, duration = 0 }: SeenMedia): string {
  if (kind === "animation") return '<span class="badge">GIF</span>';
  if (kind !== "video" && kind !== "video_note") return "";
  return `<span class="badge">▶ ${Math.floor(duration / 60)}:${String(duration % 60).padStart(2, "0")}</span>`;
}

function renderFile({ name = "file", bytes }: SeenMedia): string {
  const size =
    bytes.length < 1024 * 1024
      ? `${(bytes.length / 1024).toFixed(1)} KB`
      : `${(bytes.length / 1024 / 1024).toFixed(1)} MB`;
  return `<div class="file"><i>↓</i><div>${escapeHtml(name)}<small>${size}</small></div></div>`;
}

function toAddress(bytes: Uint8Array, type: string): string {
  return `data:${type};base64,${Buffer.from(bytes).toString("base64")}`;
}
