import { type Image, isPublicAddress } from "@koma/bot-core";
import type { Download } from "./download.ts";
import type { FoundImage } from "./find-images.ts";

/** The maximum number of characters of a `fetchImage` reference. */
const referenceLimit = 400;

/** An image stored by Discord in the core's form; undefined if only an external site has the bytes. */
export function openImage(found: FoundImage, download: Download): Image | undefined {
  const { url } = found;
  if (url === undefined) return undefined;
  const reference = writeReference({ ...found, url });
  const publicUrl = found.outsideUrl ?? url;
  return {
    read: (options) => download(url, options),
    identity: found.identity,
    ...(reference === undefined ? {} : { reference }),
    name: found.name.slice(0, 80),
    sizeBytes: found.size,
    hasSpoiler: found.hasSpoiler,
    ...(isPublicAddress(publicUrl) ? { publicUrl } : {}),
  };
}

/** The image of a reference that `openImage` wrote; undefined for an invalid reference. */
export function reopenImage(reference: string, download: Download): Image | undefined {
  const [, spoiler, identity, url] = /^(\d) (\S+) (\S+)$/.exec(reference) ?? [];
  if (identity === undefined || url === undefined || !URL.canParse(url)) return undefined;
  const name = new URL(url).pathname.split("/").at(-1) ?? "picture";
  return openImage(
    {
      url,
      name,
      outsideUrl: undefined,
      contentType: undefined,
      size: undefined,
      identity: identity === "link" ? `link:${url}` : identity,
      hasSpoiler: spoiler === "1",
    },
    download,
  );
}

/** True for the address of an image attachment at Discord, which a card can show without an upload. */
export function isImageAttachment(address: string | undefined): boolean {
  if (address === undefined || !URL.canParse(address)) return false;
  const { origin, pathname } = new URL(address);
  return (
    ["https://cdn.discordapp.com", "https://media.discordapp.net"].includes(origin) &&
    /^\/(?:ephemeral-)?attachments\/.*\.(?:avif|gif|jpe?g|png|webp)$/i.test(pathname)
  );
}

function writeReference(found: FoundImage & { url: string }): string | undefined {
  // The identity of a link is its address, which the reference already contains.
  const identity = found.identity.startsWith("link:") ? "link" : found.identity;
  const written = `${found.hasSpoiler ? 1 : 0} ${identity} ${found.url}`;
  return written.length <= referenceLimit ? written : undefined;
}
