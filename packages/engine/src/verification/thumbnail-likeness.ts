import { frameThumbnailSize, readFrameThumbnail } from "../pixels/frame-thumbnail.ts";
import { openAlignmentKernel } from "./alignment-kernel.ts";

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
  const kernel = openAlignmentKernel();
  const prepare = (name: "frame" | "image", thumbnail: Uint8Array) => {
    const patch = kernel.patchOf(name, width, height);
    patch.values.set(readFrameThumbnail(thumbnail));
    patch.valid.fill(1);
    kernel.normalise(name, patch, REACH, SOFTNESS);
    return patch;
  };

  return (one: Uint8Array, other: Uint8Array): number => {
    const { values } = prepare("frame", one);
    const sums = kernel.compare("frame", "image", prepare("image", other));
    const { product, powerOfFrame: powerA, powerOfPatch: powerB } = sums;
    if (Math.min(powerA, powerB) < LEAST_DETAIL * values.length) return 0;
    return product / Math.sqrt(powerA * powerB);
  };
}
