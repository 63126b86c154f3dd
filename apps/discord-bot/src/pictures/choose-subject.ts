import type { Picture, Subject } from "@koma/bot-core";
import type { Download } from "./download.ts";
import type { FoundPicture } from "./find-pictures.ts";
import { openPicture } from "./open-picture.ts";

/** How many pictures a message's menu may offer. */
const choiceLimit = 25;

/** What is to be searched; undefined where there is nothing. Several pictures are offered for a choice. */
export function chooseSubject(found: {
  pictures: readonly FoundPicture[];
  address: string | undefined;
  download: Download;
}): Subject | undefined {
  const pictures = found.pictures.flatMap((one): Picture[] => {
    const picture = openPicture(one, found.download);
    return picture === undefined ? [] : [picture];
  });
  const [first, second] = pictures;
  if (first !== undefined && second !== undefined) {
    return { pictures: pictures.slice(0, choiceLimit), start: "ask" };
  }
  if (first !== undefined) return { picture: first };
  // Only a stranger's site has it: the API fetches it, behind its guard.
  const [outside] = found.pictures;
  if (outside?.outsideUrl !== undefined) {
    return { address: outside.outsideUrl, hasSpoiler: outside.hasSpoiler };
  }
  return found.address === undefined ? undefined : { address: found.address };
}
