import type { Hit } from "../frame-index/hit.ts";

/**
 * Stored frames of the shot that are compared on either side of the hit. More take longer; 12 achieve three
 * quarters of the gain of 24.
 */
export const REACH = 24;

/**
 * Finds the frame of a shot that agrees best with the image, among the frame of the hit and its neighbours.
 * `compare` returns the agreement of a thumbnail.
 */
export function findBestFrame(
  hit: Hit,
  thumbnailOf: (hit: Hit) => Uint8Array | undefined,
  compare: (thumbnail: Uint8Array) => number,
): number {
  const { table } = hit.episode;
  const shot = table.shotOf[hit.frame];
  let best = { frame: hit.frame, agreement: Number.NEGATIVE_INFINITY };
  const from = Math.max(0, hit.frame - REACH);
  const to = Math.min(table.count - 1, hit.frame + REACH);
  for (let frame = from; frame <= to; frame++) {
    if (table.shotOf[frame] !== shot) continue;
    const thumbnail = thumbnailOf({ ...hit, frame });
    if (thumbnail === undefined) continue;
    const agreement = compare(thumbnail);
    if (agreement > best.agreement) best = { frame, agreement };
  }
  return best.frame;
}
