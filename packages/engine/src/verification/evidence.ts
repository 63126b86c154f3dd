import type { Patch } from "./patch.ts";

/** The evidence that a frame matches the image. */
export type Evidence = {
  /** Normalised correlation of the common pixels, -1..1. */
  correlation: number;
  /** Fraction of the frame that the image shows, 0..1. */
  overlap: number;
  /** Detail of both in their overlap, 0 (blank) to about 1. */
  detail: number;
};

/** Compares a frame with the aligned part of the image. Both are locally normalised. */
export function weighEvidence(frame: Patch, patch: Patch): Evidence {
  let [product, powerOfFrame, powerOfPatch, compared] = [0, 0, 0, 0];
  for (let at = 0; at < frame.values.length; at++) {
    if (patch.valid[at] !== 1) continue;
    const a = frame.values[at] ?? 0;
    const b = patch.values[at] ?? 0;
    product += a * b;
    powerOfFrame += a * a;
    powerOfPatch += b * b;
    compared++;
  }
  return {
    correlation: product / Math.sqrt(powerOfFrame * powerOfPatch + 1e-6),
    overlap: compared / frame.values.length,
    detail: compared > 0 ? Math.min(powerOfFrame, powerOfPatch) / compared : 0,
  };
}
