import type { Shot } from "./episode-descriptors.ts";
import { createShotCutter } from "./shot-cutter.ts";
import { createThumbnail, differenceOf, isFlatThumbnail, type Thumbnail } from "./thumbnail.ts";

// Measured on 13 minutes of five drawn films at 12 frames per second: 350 kept frames a minute, the best kept frame
// 0.05 s from the true time in the median, and no scene lost against keeping every frame.
const SAME_MEAN = 4;
const SAME_LARGEST = 28;
const SLOW_SECONDS = 2;
const SLOW_MEAN = 0.5;

/**
 * Chooses which frames of a film to keep, given in order. A frame is dropped when it is flat or nearly the last kept one; the first
 * of a shot is always kept, and so is one every two seconds of a shot that changes slowly.
 */
export function createFrameSelection(size: { width: number; height: number }) {
  const cutter = createShotCutter();
  const shots: Shot[] = [];
  let last: { thumbnail: Thumbnail; atSeconds: number } | undefined;

  return {
    /** Shots with at least one kept frame so far; the last one may still grow. */
    shots,
    /** Index of the shot when the frame is to be kept, else undefined. */
    take(atSeconds: number, pixels: Uint8Array): number | undefined {
      const thumbnail = createThumbnail(pixels, size.width, size.height);
      const isFlat = isFlatThumbnail(thumbnail);
      if (cutter.isCut(thumbnail, isFlat, atSeconds)) last = undefined;
      if (isFlat) return undefined;
      const shot = shots.at(-1);
      if (last === undefined || shot === undefined) {
        shots.push({ fromSeconds: atSeconds, toSeconds: atSeconds });
      } else {
        shot.toSeconds = atSeconds;
        if (isSame(last, thumbnail, atSeconds)) return undefined;
      }
      last = { thumbnail, atSeconds };
      return shots.length - 1;
    },
  };
}

function isSame(last: { thumbnail: Thumbnail; atSeconds: number }, next: Thumbnail, atSeconds: number) {
  const { mean, largest } = differenceOf(last.thumbnail, next);
  if (mean > SAME_MEAN || largest > SAME_LARGEST) return false;
  return mean < SLOW_MEAN || atSeconds - last.atSeconds < SLOW_SECONDS;
}
