import type { Image } from "@koma/bot-core";
import type { Download } from "./download.ts";
import type { FoundImage } from "./find-images.ts";

/** What `fetchImage` finds a picture by may have so many characters. */
const referenceLimit = 400;

/** A picture that Discord keeps, as the core takes it; undefined where only a stranger's site has the bytes. */
export function openImage(found: FoundImage, download: Download): Image | undefined {
  const { url } = found;
  if (url === undefined) return undefined;
  const reference = writeReference({ ...found, url });
  return {
    read: (options) => download(url, options),
    identity: found.identity,
    ...(reference === undefined ? {} : { reference }),
    name: found.name.slice(0, 80),
    sizeBytes: found.size,
    hasSpoiler: found.hasSpoiler,
  };
}

/** The picture behind a reference that `openImage` wrote; undefined where it is none. */
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

function writeReference(found: FoundImage & { url: string }): string | undefined {
  // The identity of a link is its address, which the reference has once already.
  const identity = found.identity.startsWith("link:") ? "link" : found.identity;
  const written = `${found.hasSpoiler ? 1 : 0} ${identity} ${found.url}`;
  return written.length <= referenceLimit ? written : undefined;
}
