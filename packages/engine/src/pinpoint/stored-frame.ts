import type { FrameView } from "../frame-index/frame-view.ts";
import type { Hit } from "../frame-index/hit.ts";
import { readFrameThumbnail } from "../pixels/frame-thumbnail.ts";
import { REACH } from "./refine-frame.ts";
import { fitTone, residualOf, type ToneFit } from "./residual.ts";
import { costOfPlacement } from "./search-shot.ts";
import { halveShown, type ShownImage } from "./shown-image.ts";

/**
 * The strips of shots with much detail and motion are coarse: no frame of them costs less than this. The
 * thumbnail of a stored frame is more exact there.
 */
export const COARSE_COST = 7;
const EXACT_COST = 4;

/**
 * Returns the stored frame near a hit, in its shot, whose thumbnail the image shows exactly, with its cost in
 * levels of the frame; undefined without one. `fit` is the tone of the image.
 */
export function findStoredFrame(
  hit: Hit,
  shown: ShownImage,
  fit: ToneFit,
  thumbnailOf: FrameView["thumbnailOf"],
): { atSeconds: number; cost: number } | undefined {
  const { atSeconds, shotOf, count } = hit.episode.table;
  const halved = halveShown(shown);
  let best: { atSeconds: number; cost: number } | undefined;
  for (let frame = Math.max(0, hit.frame - REACH); frame < Math.min(count, hit.frame + REACH + 1); frame++) {
    if (shotOf[frame] !== shotOf[hit.frame]) continue;
    const thumbnail = thumbnailOf({ ...hit, frame });
    if (thumbnail === undefined) continue;
    const pixels = readFrameThumbnail(thumbnail);
    // The contrast of thumbnails is stretched.
    const stretched = fitTone(halved, pixels);
    const residual = (residualOf(halved, pixels, stretched) * stretched.gain) / fit.gain;
    const cost = residual + costOfPlacement(shown);
    if (cost <= EXACT_COST && cost < (best?.cost ?? Number.POSITIVE_INFINITY))
      best = { atSeconds: atSeconds[frame] ?? 0, cost };
  }
  return best;
}
