import { probe, renderFile, toDataUrl } from "@koma/fake-chat";
import type { StoredFile } from "../types.ts";

/** The image, clip or file of a message. */
export function renderMedia(media: StoredFile, hasSpoiler: boolean): string {
  const { format, isImage } = probe(media.bytes);
  if (media.kind === "document") return renderFile(media.name ?? "file", media.bytes.length);
  if (media.kind === "sticker" && isImage)
    return `<div class="sticker"><img src="${toDataUrl(media.bytes, `image/${format}`)}"></div>`;
  const veil = hasSpoiler ? " veiled" : "";
  const shape =
    media.width && media.height
      ? ` style="aspect-ratio: ${media.width} / ${media.height}; max-height: 420px"`
      : "";
  const badge = badgeOf(media);
  return `<span class="media${veil}"${shape}>${isImage ? image(media, format) : clip(media)}${badge}</span>`;
}

function image(media: StoredFile, format: string): string {
  return `<img src="${toDataUrl(media.bytes, `image/${format}`)}">`;
}

/** A clip shows its thumbnail if there is one, because a browser possibly cannot play it. */
function clip(media: StoredFile): string {
  if (media.thumbnail) return `<img src="${toDataUrl(media.thumbnail.bytes, "image/jpeg")}">`;
  return `<video muted preload="auto" src="${toDataUrl(media.bytes, media.mimeType ?? "video/mp4")}"></video>`;
}

function badgeOf({ kind, duration = 0 }: StoredFile): string {
  if (kind === "animation") return '<span class="badge">GIF</span>';
  if (kind !== "video" && kind !== "video_note") return "";
  return `<span class="badge">▶ ${Math.floor(duration / 60)}:${String(duration % 60).padStart(2, "0")}</span>`;
}
