import type { CalibrationPoint } from "../model/score-weights.ts";

/**
 * Returns the similarity of a cosine by the calibration of a model: linear between its points (ascending),
 * constant outside.
 */
export function calibrate(points: readonly CalibrationPoint[], cosine: number): number {
  let [lowCosine, lowSimilarity]: CalibrationPoint = points[0] ?? [1, 0];
  if (cosine <= lowCosine) return lowSimilarity;
  for (const [highCosine, highSimilarity] of points) {
    if (cosine <= highCosine) {
      const share = (cosine - lowCosine) / (highCosine - lowCosine);
      return lowSimilarity + share * (highSimilarity - lowSimilarity);
    }
    [lowCosine, lowSimilarity] = [highCosine, highSimilarity];
  }
  return lowSimilarity;
}
