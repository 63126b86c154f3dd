import type { CalibrationPoint } from "../model/score-weights.ts";

/**
 * Returns the similarity of a cosine by the calibration of a model: linear between its points (ascending),
 * constant outside.
 */
export function calibrate(points: readonly CalibrationPoint[], cosine: number): number {
  let low: CalibrationPoint = points[0] ?? [1, 0];
  if (cosine <= low[0]) return low[1];
  for (const high of points) {
    if (cosine <= high[0]) {
      const share = (cosine - low[0]) / (high[0] - low[0]);
      return low[1] + share * (high[1] - low[1]);
    }
    low = high;
  }
  return low[1];
}
