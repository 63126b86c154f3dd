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
  const [lastX, lastY] = [left + width / 2 - 1, top + height / 2 - 1];
  for (let y = 0, to = 0; y < height; y++) {
    const near = top + (y >> 1);
    const far = Math.max(top, Math.min(lastY, near + (y & 1) * 2 - 1));
    for (let x = 0; x < width; x++) {
      const nearX = left + (x >> 1);
      const farX = Math.max(left, Math.min(lastX, nearX + (x & 1) * 2 - 1));
      const [a, b] = [(near * width + nearX) * 3, (near * width + farX) * 3];
      const [c, d] = [(far * width + nearX) * 3, (far * width + farX) * 3];
      for (let colour = 0; colour < 3; colour++, to++) {
        const upper = 3 * (pixels[a + colour] ?? 0) + (pixels[b + colour] ?? 0);
        const lower = 3 * (pixels[c + colour] ?? 0) + (pixels[d + colour] ?? 0);
        into[to] = (3 * upper + lower + 8) >> 4;
      }
    }
  }
}
