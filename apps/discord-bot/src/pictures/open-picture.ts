import type { Picture } from "@koma/bot-core";
import type { Download } from "./download.ts";
import type { FoundPicture } from "./find-pictures.ts";

/** What `fetchPicture` finds a picture by may have so many characters. */
const referenceLimit = 400;

/** A picture that Discord keeps, as the core takes it; undefined where only a stranger's site has the bytes. */
export function openPicture(found: FoundPicture, download: Download): Picture | undefined {
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

/** The picture behind a reference that `openPicture` wrote; undefined where it is none. */
export function reopenPicture(reference: string, download: Download): Picture | undefined {
  const [, spoiler, identity, url] = /^(\d) (\S+) (\S+)$/.exec(reference) ?? [];
  if (identity === undefined || url === undefined || !URL.canParse(url)) return undefined;
  const name = new URL(url).pathname.split("/").at(-1) ?? "picture";
  return openPicture(
    {
      ...{ url, name, outsideUrl: undefined, contentType: undefined, size: undefined },
      identity: identity === "link" ? `link:${url}` : identity,
      hasSpoiler: spoiler === "1",
    },
    download,
  );
}

function writeReference(found: FoundPicture & { url: string }): string | undefined {
  // The identity of a link is its address, which the reference has once already.
  const identity = found.identity.startsWith("link:") ? "link" : found.identity;
  const written = `${found.hasSpoiler ? 1 : 0} ${identity} ${found.url}`;
  return written.length <= referenceLimit ? written : undefined;
}
