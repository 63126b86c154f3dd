import { createGrowingRows } from "../quality/images/growing-rows.ts";
import { type SurveyedVideo, surveySize, surveyVideo } from "../quality/images/survey-video.ts";
import type { VideoAccess } from "../quality/images/video-access.ts";
import { lumaOf } from "../quality/raster/tone.ts";

const blockSide = 16;
const [blockColumns, blockRows] = [surveySize.width / blockSide, Math.ceil(surveySize.height / blockSide)];
const blockCount = blockColumns * blockRows;
/** Frames whose block means differ by at most this look the same, of 255. */
const mostBlockDifference = 8;

/** A surveyed video with the brightness of the parts of every frame. */
export type FramesOfVideo = SurveyedVideo & {
  /** The means of blocks of 16 by 16 of 320 by 180 pixels per frame; the lowest row of blocks is cut. */
  blocks: Uint8Array;
};

/** Reads a video once. `onFrame` receives the current time. */
export async function readFrames(
  access: VideoAccess,
  video: { file: string; name: string; work: string },
  onFrame: (atSeconds: number) => void,
): Promise<FramesOfVideo> {
  const blocks = createGrowingRows(blockCount);
  const surveyed = await surveyVideo(access, video, (atSeconds, { pixels }) => {
    blocks.add(blockMeansOf(pixels));
    onFrame(atSeconds);
  });
  return { ...surveyed, blocks: blocks.rows() };
}

/** Returns the number of the frame on the screen at a time. */
export function frameAt({ atSeconds }: SurveyedVideo, seconds: number): number {
  let [low, high] = [0, atSeconds.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    // Times are rounded to a millisecond.
    if ((atSeconds[middle] ?? 0) <= seconds + 0.0006) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** True for frames that look the same: no block differs by more than 8 of 255. */
export function areAlike(
  one: FramesOfVideo,
  frame: number,
  other: FramesOfVideo,
  otherFrame: number,
): boolean {
  for (let block = 0; block < blockCount; block++) {
    const a = one.blocks[frame * blockCount + block] ?? 0;
    const b = other.blocks[otherFrame * blockCount + block] ?? 0;
    if (Math.abs(a - b) > mostBlockDifference) return false;
  }
  return true;
}

function blockMeansOf(pixels: Uint8Array): Uint8Array {
  const sums = new Float64Array(blockCount);
  const counts = new Uint32Array(blockCount);
  for (let at = 0; at < surveySize.width * surveySize.height; at++) {
    const [x, y] = [at % surveySize.width, Math.floor(at / surveySize.width)];
    const block = Math.floor(y / blockSide) * blockColumns + Math.floor(x / blockSide);
    sums[block] =
      (sums[block] ?? 0) + lumaOf(pixels[at * 3] ?? 0, pixels[at * 3 + 1] ?? 0, pixels[at * 3 + 2] ?? 0);
    counts[block] = (counts[block] ?? 0) + 1;
  }
  return Uint8Array.from(sums, (sum, block) => Math.round(sum / (counts[block] || 1)));
}
