import type { Model } from "@koma/engine";
import { createAxes } from "@koma/engine/internals/frame-index/stored-frames";
import { dequantise, quantise } from "@koma/engine/internals/nearest-neighbours/quantise";
import { createRandom } from "@koma/testing/drawing";

export const framesPerShot = 8;
/** The energy of descriptors of koma-1 per principal axis: 97 % of it is in the first half of 128. */
const deviationOf = (axis: number) => Math.exp(-axis / 36.5);
/** The deviations of a frame from its shot, and of a view from its frame, in those of shots from each other. */
const [frameShare, viewShare] = [0.3, 0.5];

/** Writes the descriptors of a number of frames, in shots of eight similar ones. */
export function generateFrames(model: Model, count: number): Int8Array {
  const { dimensions } = model;
  const { fromAxes } = createAxes(model);
  const { normal } = createRandom(1);
  const codes = new Int8Array(count * dimensions);
  let shot = new Float32Array(dimensions);
  for (let frame = 0; frame < count; frame++) {
    if (frame % framesPerShot === 0) shot = shot.map((_, axis) => deviationOf(axis) * normal());
    const own = shot.map((value, axis) => value + frameShare * deviationOf(axis) * normal());
    quantise(fromAxes(own), codes.subarray(frame * dimensions, (frame + 1) * dimensions));
  }
  return codes;
}

/** Returns the views of images of some frames: unit vectors that differ from that of their frame. */
export function generateViews(
  model: Model,
  codes: Int8Array,
  { images, viewsPerImage }: { images: number; viewsPerImage: number },
): Float32Array[][] {
  const { dimensions } = model;
  const axes = createAxes(model);
  const { normal } = createRandom(2);
  return Array.from({ length: images }, (_, image) => {
    const frame = Math.floor(((image + 0.5) / images) * (codes.length / dimensions));
    const own = axes.toAxes(dequantise(codes.subarray(frame * dimensions, (frame + 1) * dimensions)));
    const energy = Math.hypot(...own.map((_, axis) => deviationOf(axis)));
    return Array.from({ length: viewsPerImage }, () => {
      const view = own.map((value, axis) => value + ((viewShare * deviationOf(axis)) / energy) * normal());
      const length = Math.hypot(...view);
      return axes.fromAxes(view.map((value) => value / length));
    });
  });
}
