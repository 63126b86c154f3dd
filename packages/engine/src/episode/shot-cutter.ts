import { correlationOf, differenceOf, type Thumbnail } from "../pixels/thumbnail.ts";

const RECENT_FRAMES = 8;
const SHORTEST_SHOT_SECONDS = 0.3;
const LEAST_JUMP = 9;

/**
 * Detects hard cuts in a stream of frames: a change in colour well above the recent changes of the shot, to a
 * frame of another layout (an adaptive threshold as in PySceneDetect, based on past frames only). A flat
 * frame (fade to black) ends a shot as well.
 */
export function createShotCutter() {
  let last: Thumbnail | undefined;
  let isLastFlat = false;
  let shotFromSeconds = 0;
  let changes: number[] = [];

  return {
    /** True for the first frame of a new shot. */
    isCut(next: Thumbnail, isFlat: boolean, atSeconds: number): boolean {
      const previous = last;
      const wasFlat = isLastFlat;
      last = next;
      isLastFlat = isFlat;
      if (previous === undefined) return true;
      const change = differenceOf(previous, next).mean;
      const isShort = atSeconds - shotFromSeconds < SHORTEST_SHOT_SECONDS;
      const isNew =
        isFlat !== wasFlat ||
        (!isShort && change > threshold(changes) && correlationOf(previous, next) < 0.8);
      if (isNew) {
        shotFromSeconds = atSeconds;
        changes = [];
      } else {
        changes = [...changes.slice(1 - RECENT_FRAMES), change];
      }
      return isNew;
    },
  };
}

/** Returns the change that counts as a cut after the given changes between neighbouring frames. */
function threshold(changes: readonly number[]): number {
  const sorted = [...changes].sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return Math.max(LEAST_JUMP, 2 * Math.max(0, ...changes.slice(-4)), 3 * median);
}
