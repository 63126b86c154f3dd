import { type Image, ImageTooLargeError } from "@koma/bot-core";
import { type Download, telegramFileBytes } from "../telegram/download.ts";
import type { FoundFile } from "./find-files.ts";

/** The maximum number of characters of a `fetchImage` reference. */
const referenceLimit = 400;

/** A file stored by Telegram in the core's form. */
export function openImage(found: FoundFile, download: Download): Image {
  const { thumbnailId } = found;
  const reference = `${found.hasSpoiler ? 1 : 0} ${found.uniqueId} ${found.fileId}`;
  return {
    async read({ limitBytes, signal }) {
      if ((found.sizeBytes ?? 0) > telegramFileBytes) throw new ImageTooLargeError(telegramFileBytes);
      return await download(found.fileId, { limitBytes: Math.min(limitBytes, telegramFileBytes), signal });
    },
    identity: found.uniqueId,
    ...(reference.length <= referenceLimit ? { reference } : {}),
    ...(found.name === undefined ? {} : { name: found.name.slice(0, 80) }),
    hasSpoiler: found.hasSpoiler,
    ...(thumbnailId === undefined
      ? {}
      : { smallPreview: { read: (options) => download(thumbnailId, options) } }),
  };
}

/** The image of a reference that `openImage` wrote; undefined for an invalid reference. */
export function reopenImage(reference: string, download: Download): Image | undefined {
  const [, spoiler, uniqueId, fileId] = /^([01]) (\S+) (\S+)$/.exec(reference) ?? [];
  if (uniqueId === undefined || fileId === undefined) return undefined;
  const more = { name: undefined, sizeBytes: undefined, isSmallPreview: false };
  return openImage({ fileId, uniqueId, hasSpoiler: spoiler === "1", ...more }, download);
}
