import { type APIAttachment, type APIEmbed, type APIMessage, AttachmentFlags } from "discord.js";

/** A picture, or a film whose still may be asked for, that Discord keeps. */
export type FoundImage = {
  /** The same for the same upload, wherever it is seen again. */
  identity: string;
  /** Where Discord itself has the bytes; undefined for a picture that only a stranger's site has. */
  url: string | undefined;
  /** Where the picture is outside of Discord. */
  outsideUrl: string | undefined;
  name: string;
  contentType: string | undefined;
  /** Bytes; undefined where Discord does not say. */
  size: number | undefined;
  hasSpoiler: boolean;
};

/** As much of a message as pictures are found in; forwarded ones have no more. */
export type ImageMessage = Pick<APIMessage, "content" | "attachments" | "embeds"> & {
  components?: unknown;
  message_snapshots?: readonly { message: object }[] | undefined;
};

/**
 * The pictures of a message in the order in which it shows them: attachments, those of its components, those of embeds,
 * then those of the messages that it forwards. Where nothing looks like a picture, the attachments all the same: their
 * content decides later.
 */
export function findImages(message: Partial<ImageMessage>): FoundImage[] {
  const found = unique([...findOwn(message), ...findForwarded(message)]);
  if (found.length > 0) return found;
  return (message.attachments ?? []).map(fromAttachment);
}

/** A picture of an attachment, whatever its type says. */
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

/** The first web address in a text, without what Discord's markup puts around it. */
export function findAddress(text: string): string | undefined {
  const written = /https?:\/\/[^\s<>|]+/i.exec(text)?.[0].replace(/[).,;!?'"*_~]+$/, "");
  return written !== undefined && URL.canParse(written) ? written : undefined;
}

function findOwn(message: Partial<ImageMessage>): FoundImage[] {
  const areLinksSpoilers = /\|\|[^|]*https?:\/\/[^|]*\|\|/i.test(message.content ?? "");
  return [
    ...(message.attachments ?? []).filter(isProbablyImage).map(fromAttachment),
    ...findInComponents(message.components),
    ...(message.embeds ?? []).flatMap((embed) => fromEmbed(embed, areLinksSpoilers)),
  ];
}

function findForwarded(message: Partial<ImageMessage>): FoundImage[] {
  return (message.message_snapshots ?? []).flatMap((snapshot) => findOwn(snapshot.message));
}

/** Discord says that there is always one; an attachment without it is a picture all the same. */
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

/** Components nest, and new kinds appear: whatever carries media counts. */
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
