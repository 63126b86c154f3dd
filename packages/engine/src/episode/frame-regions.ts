import type { Region } from "../image/image-description.ts";

/**
 * The regions of a frame that are described separately, in fractions of its sides: nine regions of half the
 * width and height, each overlapping its neighbours by half. The descriptor of the whole frame does not find
 * a query that shows a fifth of it; the descriptor of the nearest region does.
 */
export const frameRegions: readonly Region[] = [0, 0.25, 0.5].flatMap((y) =>
  [0, 0.25, 0.5].map((x) => ({ x, y, width: 0.5, height: 0.5 })),
);

/** Stored frames of a shot per frame with described regions. */
const FRAMES_PER_BLOCK = 8;
/** A shorter remainder of a shot belongs to the preceding block. */
const LEAST_REST = 4;

/** A stored frame with its pixels. */
export type RegionFrame = { atSeconds: number; shot: number; pixels: Uint8Array };

/**
 * Chooses the frames whose regions are described from the stored frames in order: the middle frame of each
 * shot, and one per 8 stored frames of a long shot. Holds the pixels of at most 8 frames.
 */
export function createRegionFrameSelection() {
  let block: RegionFrame[] = [];
  let blocksOfShot = 0;

  function finish(): RegionFrame[] {
    const chosen = blocksOfShot > 0 && block.length < LEAST_REST ? undefined : block[block.length >> 1];
    block = [];
    blocksOfShot++;
    return chosen === undefined ? [] : [chosen];
  }

  return {
    /** Adds a frame; returns the frames that are now chosen. */
    take(frame: RegionFrame): RegionFrame[] {
      const isNewShot = block.length > 0 && block[0]?.shot !== frame.shot;
      const chosen = isNewShot || block.length === FRAMES_PER_BLOCK ? finish() : [];
      if (isNewShot) blocksOfShot = 0;
      block.push(frame);
      return chosen;
    },
    /** Returns the remaining frames at the end of the video. */
    finish,
  };
}

/**
 * Enlarges the regions of a frame to the size of the frame: packed RGB24, one region after another. Width and
 * height must be multiples of four.
 */
export function enlargeRegions(pixels: Uint8Array, width: number, height: number): Uint8Array {
  const regions = new Uint8Array(frameRegions.length * pixels.length);
  for (const [at, { x, y }] of frameRegions.entries()) {
    const into = regions.subarray(at * pixels.length, (at + 1) * pixels.length);
    enlarge(pixels, { width, height, left: width * x, top: height * y }, into);
  }
  return regions;
}

/**
 * Doubles a quarter of the frame by bilinear interpolation: a new pixel is 9/16 of its nearest one, 3/16,
 * 3/16 and 1/16 of the others.
 */
function enlarge(
  pixels: Uint8Array,
  { width, height, left, top }: { width: number; height: number; left: number; top: number },
  into: Uint8Array,
): void {
  const lastY = top + height / 2 - 1;
  const values = (width / 2) * 3;
  // One line of the region between two lines of pixels, with its first and last pixel repeated at the ends.
  const line = new Uint16Array(values + 6);
  for (let y = 0, to = 0; y < height; y++) {
    const near = top + (y >> 1);
    const far = Math.max(top, Math.min(lastY, near + (y & 1) * 2 - 1));
    const [nearAt, farAt] = [(near * width + left) * 3, (far * width + left) * 3];
    for (let at = 0; at < values; at++) {
      line[at + 3] = 3 * (pixels[nearAt + at] ?? 0) + (pixels[farAt + at] ?? 0);
    }
    line.copyWithin(0, 3, 6);
    line.copyWithin(values + 3, values, values + 3);
    for (let at = 3; at < values + 3; at += 3, to += 6) {
      for (let colour = 0; colour < 3; colour++) {
        const middle = 3 * (line[at + colour] ?? 0) + 8;
        into[to + colour] = (middle + (line[at + colour - 3] ?? 0)) >> 4;
        into[to + colour + 3] = (middle + (line[at + colour + 3] ?? 0)) >> 4;
      }
    }
  }
}
