import type { Patch } from "./patch.ts";

/** What speaks for a frame being the one in the picture. */
export type Evidence = {
  /** Normalised correlation of all pixels that both show, -1..1. */
  correlation: number;
  /** Share of the frame that the picture shows, 0..1. */
  overlap: number;
  /** How much there is to see in both where they overlap, 0 (blank) to about 1. */
  detail: number;
};

/** Compares a frame with what a picture shows in its place. Both made comparable by local normalisation. */
export function weighEvidence(frame: Patch, patch: Patch): Evidence {
  let [product, powerOfFrame, powerOfPatch, seen] = [0, 0, 0, 0];
  for (let at = 0; at < frame.values.length; at++) {
    if (patch.valid[at] !== 1) continue;
    const a = frame.values[at] ?? 0;
    const b = patch.values[at] ?? 0;
    product += a * b;
    powerOfFrame += a * a;
    powerOfPatch += b * b;
    seen++;
  }
  return {
    correlation: product / Math.sqrt(powerOfFrame * powerOfPatch + 1e-6),
    overlap: seen / frame.values.length,
    detail: seen > 0 ? Math.min(powerOfFrame, powerOfPatch) / seen : 0,
  };
}
