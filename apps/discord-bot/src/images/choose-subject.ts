import type { Image, Subject } from "@koma/bot-core";
import type { Download } from "./download.ts";
import type { FoundImage } from "./find-images.ts";
import { openImage } from "./open-image.ts";

/** How many pictures a message's menu may offer. */
const choiceLimit = 25;

/** What is to be searched; undefined where there is nothing. Several pictures are offered for a choice. */
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
  // Only a stranger's site has it: the API fetches it, behind its guard.
  const [outside] = found.images;
  if (outside?.outsideUrl !== undefined) {
    return { address: outside.outsideUrl, hasSpoiler: outside.hasSpoiler };
  }
  return found.address === undefined ? undefined : { address: found.address };
}
