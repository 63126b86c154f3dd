import type { Random } from "@koma/testing/drawing";
import { resize } from "../raster/geometry.ts";
import { decodeRaster } from "../raster/raster.ts";
import { describeColourLayout, layoutDistance, layoutLength } from "../systems/colour-layout.ts";
import { cutBlackBorders } from "../systems/cut-black-borders.ts";
import { type SurveyedVideo, surveySize } from "./survey-video.ts";
import type { VideoAccess } from "./video-access.ts";

/** A frame of a video at its own size, with its exact time. */
export type PickedFrame = { video: SurveyedVideo; atSeconds: number; still: Buffer };

const widest = 1920;
// A still is a JPEG of the same frame; its layout differs by a few quantisation steps, that of other shots by
// hundreds.
const mostLayoutDistance = 24;

/**
 * Picks `count` random informative frames, one video after the other. Videos without such frames are skipped;
 * each still is compared with the survey to verify its time.
 */
export async function pickFrames(
  access: VideoAccess,
  videos: readonly SurveyedVideo[],
  count: number,
  random: Random,
  onPick: (done: number) => void,
): Promise<PickedFrame[]> {
  const picked: PickedFrame[] = [];
  const decks = random.shuffle(videos).map((video) => ({ video, frames: informativeFrames(video, random) }));
  while (picked.length < count && decks.some((deck) => deck.frames.length > 0)) {
    for (const { video, frames } of decks) {
      if (picked.length === count) break;
      const frame = await nextStill(access, video, frames);
      if (frame === undefined) continue;
      picked.push(frame);
      onPick(picked.length);
    }
  }
  return picked;
}

async function nextStill(
  access: VideoAccess,
  video: SurveyedVideo,
  frames: number[],
): Promise<PickedFrame | undefined> {
  for (let index = frames.pop(); index !== undefined; index = frames.pop()) {
    const atSeconds = video.atSeconds[index] ?? 0;
    const still = await access.still(video.file, atSeconds, widest);
    const small = await resize(await decodeRaster(still), surveySize.width, surveySize.height, "cubic");
    const expected = video.layouts.subarray(index * layoutLength, (index + 1) * layoutLength);
    if (layoutDistance(describeColourLayout(cutBlackBorders(small)), expected) <= mostLayoutDistance)
      return { video, atSeconds, still };
  }
  return undefined;
}

/** Returns the numbers of informative frames in random order, at least a second apart. */
function informativeFrames(video: SurveyedVideo, random: Random): number[] {
  const candidates = video.isInformative.flatMap((isInformative, index) => (isInformative ? [index] : []));
  const taken = new Set<number>();
  return random.shuffle(candidates).filter((index) => {
    const second = Math.floor(video.atSeconds[index] ?? 0);
    if (taken.has(second)) return false;
    taken.add(second);
    return true;
  });
}
