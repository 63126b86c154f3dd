import type { Image, Subject } from "@koma/bot-core";
import type { Download } from "./download.ts";
import type { FoundImage } from "./find-images.ts";
import { openImage } from "./open-image.ts";

/** Chooses the images to search; undefined if there are none. */
export function chooseSubject(found: {
  images: readonly FoundImage[];
  address: string | undefined;
  download: Download;
}): Subject | undefined {
  const images = found.images.flatMap((one): Image[] => {
    const image = openImage(one, found.download);
    return image === undefined ? [] : [image];
  });
  const [first, second] = images;
  if (first !== undefined && second !== undefined) return { images };
  if (first !== undefined) return { image: first };
  // Only an external site has the image: the API fetches it with its address checks.
  const [outside] = found.images;
  if (outside?.outsideUrl !== undefined) {
    return { address: outside.outsideUrl, hasSpoiler: outside.hasSpoiler };
  }
  return found.address === undefined ? undefined : { address: found.address };
}
