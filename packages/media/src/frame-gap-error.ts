/**
 * The reference frames of a video are too far apart to represent it. Its other frames may close the gap, unless
 * its frame rate is that low there.
 */
export class FrameGapError extends Error {
  override readonly name = "FrameGapError";

  constructor(file: string, { fromSeconds, toSeconds }: { fromSeconds: number; toSeconds: number }) {
    super(`${file} has no reference frame from ${fromSeconds.toFixed(3)} to ${toSeconds.toFixed(3)} s.`);
  }
}
