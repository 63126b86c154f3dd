import type { Comparison } from "./alignment-kernel.ts";

/** The evidence that a frame matches the image. */
export type Evidence = {
  /** Normalised correlation of the common pixels, -1..1. */
  correlation: number;
  /** Fraction of the frame that the image shows, 0..1. */
  overlap: number;
  /** Detail of both in their overlap, 0 (blank) to about 1. */
  detail: number;
};

/** Returns the evidence of a comparison of a frame of `count` pixels with the aligned part of the image. */
export function weighEvidence(
  { product, powerOfFrame, powerOfPatch, compared }: Comparison,
  count: number,
): Evidence {
  return {
    correlation: product / Math.sqrt(powerOfFrame * powerOfPatch + 1e-6),
    overlap: compared / count,
    detail: compared > 0 ? Math.min(powerOfFrame, powerOfPatch) / compared : 0,
  };
}
