import { frameThumbnailSize, readFrameThumbnail } from "../episode/frame-thumbnail.ts";
import { createLocalNormaliser, createPatch, type Patch } from "./patch.ts";

const { width, height } = frameThumbnailSize;
const REACH = 3;
const SOFTNESS = 8;
/** Mean power of a normalised thumbnail below which its detail is too low for a comparison. */
const LEAST_DETAIL = 0.05;

/**
 * Returns the similarity of two stored frames, -1..1: correlation of their thumbnails after local
 * normalisation; 0 for low detail.
 */
export function createThumbnailLikeness() {
  const normalise = createLocalNormaliser(width, height);
  const prepare = (thumbnail: Uint8Array): Patch => {
    const patch = createPatch(width, height);
    patch.values.set(readFrameThumbnail(thumbnail));
    patch.valid.fill(1);
    normalise(patch, REACH, SOFTNESS);
    return patch;
  };

  return (one: Uint8Array, other: Uint8Array): number => {
    const [{ values: a }, { values: b }] = [prepare(one), prepare(other)];
    let [product, powerA, powerB] = [0, 0, 0];
    for (let at = 0; at < a.length; at++) {
      product += (a[at] ?? 0) * (b[at] ?? 0);
      powerA += (a[at] ?? 0) ** 2;
      powerB += (b[at] ?? 0) ** 2;
    }
    if (Math.min(powerA, powerB) < LEAST_DETAIL * a.length) return 0;
    return product / Math.sqrt(powerA * powerB);
  };
}
