import {
  type APIAttachment,
  type APIEmbed,
  type APIMessage,
  type APIStickerItem,
  AttachmentFlags,
  StickerFormatType,
} from "discord.js";

/** An image stored by Discord, or a video with a still. */
export type FoundImage = {
  /** Equal for the same upload in any message. */
  identity: string;
  /** The address of the bytes at Discord; undefined for an image on an external site. */
  url: string | undefined;
  /** The address of the image outside of Discord. */
  outsideUrl: string | undefined;
  name: string;
  contentType: string | undefined;
  /** The size in bytes; undefined if Discord does not state it. */
  size: number | undefined;
  hasSpoiler: boolean;
};

/** The fields of a message that can contain images; forwarded messages have only these. */
export type ImageMessage = Pick<APIMessage, "content" | "attachments" | "embeds" | "sticker_items"> & {
  components?: unknown;
  message_snapshots?: readonly { message: object }[] | undefined;
};

/**
 * The images of a message in display order: attachments, components, stickers, embeds, then forwarded messages. If none
 * has the type of an image, all attachments are returned, because their content decides later.
 */
export function findImages(message: Partial<ImageMessage>): FoundImage[] {
  const found = unique([...findOwn(message), ...findForwarded(message)]);
  if (found.length > 0) return found;
  return (message.attachments ?? []).map(fromAttachment);
}

/** True if a message has an image or a video, and not only files of other types. */
export function hasImage(message: Partial<ImageMessage>): boolean {
  return findOwn(message).length + findForwarded(message).length > 0;
}

/** An attachment as an image, whatever its type is. */
export function fromAttachment(attachment: APIAttachment): FoundImage {
  const flags = attachment.flags ?? 0;
  const name = nameOf(attachment);
  return {
    identity: `attachment:${attachment.id}`,
    url: attachment.url,
    outsideUrl: undefined,
    name,
    contentType: attachment.content_type,
    size: attachment.size,
    hasSpoiler: (flags & AttachmentFlags.IsSpoiler) !== 0 || name.startsWith("SPOILER_"),
  };
}

/** The first web address in a text, without Discord's markup around it. */
export function findAddress(text: string): string | undefined {
  const written = /https?:\/\/[^\s<>|]+/i.exec(text)?.[0].replace(/[).,;!?'"*_~]+$/, "");
  return written !== undefined && URL.canParse(written) ? written : undefined;
}

function findOwn(message: Partial<ImageMessage>): FoundImage[] {
  const areLinksSpoilers = /\|\|[^|]*https?:\/\/[^|]*\|\|/i.test(message.content ?? "");
  return [
    ...(message.attachments ?? []).filter(isProbablyImage).map(fromAttachment),
    ...findInComponents(message.components),
    ...(message.sticker_items ?? []).flatMap(fromSticker),
    ...(message.embeds ?? []).flatMap((embed) => fromEmbed(embed, areLinksSpoilers)),
  ];
}

/** Lottie stickers are vector graphics, which the bot cannot render. */
function fromSticker({ id, name, format_type: format }: APIStickerItem): FoundImage[] {
  if (format === StickerFormatType.Lottie) return [];
  const extension = format === StickerFormatType.GIF ? "gif" : "png";
  return [
    {
      identity: `sticker:${id}`,
      url: `https://media.discordapp.net/stickers/${id}.${extension}`,
      outsideUrl: undefined,
      name: `${name}.${extension}`,
      contentType: `image/${extension}`,
      size: undefined,
      hasSpoiler: false,
    },
  ];
}

function findForwarded(message: Partial<ImageMessage>): FoundImage[] {
  return (message.message_snapshots ?? []).flatMap((snapshot) => findOwn(snapshot.message));
}

/** Discord documents the name as required, but an attachment without one is an image too. */
function nameOf({ filename, url }: { filename?: string; url: string }): string {
  return filename ?? (URL.canParse(url) ? decodeName(new URL(url)) : "picture");
}

function isProbablyImage(attachment: APIAttachment): boolean {
  const { content_type: type } = attachment;
  if (type !== undefined && /^(image|video)\//.test(type)) return true;
  return /\.(avif|bmp|gif|jpe?g|jfif|png|tiff?|webp|m4v|mkv|mov|mp4|webm)$/i.test(nameOf(attachment));
}

function fromEmbed(embed: APIEmbed, hasSpoiler: boolean): FoundImage[] {
  const media = embed.image ?? embed.thumbnail;
  return media === undefined ? [] : fromMedia(media, { hasSpoiler });
}

/** Components nest and new kinds appear, so every component with media counts. */
function findInComponents(components: unknown, isHidden = false): FoundImage[] {
  if (Array.isArray(components)) return components.flatMap((one) => findInComponents(one, isHidden));
  if (!isObject(components)) return [];
  const hasSpoiler = isHidden || components.spoiler === true;
  const media = [components.media, components.file].filter(isObject);
  return [
    ...media.flatMap((one) => fromMedia(one, { hasSpoiler })),
    ...["components", "items", "accessory"].flatMap((part) => findInComponents(components[part], hasSpoiler)),
  ];
}

function fromMedia(
  media: { url?: unknown; proxy_url?: unknown; content_type?: unknown; attachment_id?: unknown },
  { hasSpoiler }: { hasSpoiler: boolean },
): FoundImage[] {
  const { url, proxy_url: proxyUrl, content_type: type } = media;
  if (typeof url !== "string" || !URL.canParse(url)) return [];
  if (typeof type === "string" && !/^(image|video)\//.test(type)) return [];
  const name = decodeName(new URL(url));
  return [
    {
      identity: typeof media.attachment_id === "string" ? `attachment:${media.attachment_id}` : `link:${url}`,
      url: typeof proxyUrl === "string" ? proxyUrl : undefined,
      outsideUrl: url,
      name,
      contentType: typeof type === "string" ? type : undefined,
      size: undefined,
      hasSpoiler: hasSpoiler || name.startsWith("SPOILER_"),
    },
  ];
}

function decodeName({ pathname }: URL): string {
  const last = pathname.slice(pathname.lastIndexOf("/") + 1);
  try {
    return decodeURIComponent(last) || "picture";
  } catch {
    return last;
  }
}

function unique(images: FoundImage[]): FoundImage[] {
  return [...new Map(images.map((image) => [image.identity, image])).values()];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
