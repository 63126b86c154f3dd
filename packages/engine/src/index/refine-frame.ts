import type { Hit } from "./scene-grouping.ts";

/** Kept frames of the shot that are looked at on either side of the one found: more take longer, 12 give three quarters of what 24 do. */
const REACH = 24;

/**
 * The frame of a hit's shot that agrees best with the picture, among the hit's own and its neighbours. `compare` tells how well a thumbnail
 * agrees.
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
