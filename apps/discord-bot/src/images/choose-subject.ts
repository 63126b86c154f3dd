import type { Image, Subject } from "@koma/bot-core";
import type { Download } from "./download.ts";
import type { FoundImage } from "./find-images.ts";
import { openImage } from "./open-image.ts";

/** The maximum number of images in a message's menu. */
const choiceLimit = 25;

/** Chooses the images to search; undefined if there are none. Several images are offered for choice. */
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
  if (first !== undefined && second !== undefined) {
    return { images: images.slice(0, choiceLimit), start: "ask" };
  }
  if (first !== undefined) return { image: first };
  // Only an external site has the image: the API fetches it with its address checks.
  const [outside] = found.images;
  if (outside?.outsideUrl !== undefined) {
    return { address: outside.outsideUrl, hasSpoiler: outside.hasSpoiler };
  }
  return found.address === undefined ? undefined : { address: found.address };
}
