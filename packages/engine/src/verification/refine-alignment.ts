import { type Evidence, weighEvidence } from "./evidence.ts";
import { overlapPower } from "./find-alignments.ts";
import type { Patch } from "./patch.ts";
import { compose, type Projection } from "./projection.ts";
import { solve } from "./solve.ts";

/** The agreement of a frame's pixels with an image under a projection. */
export type Agreement = { projection: Projection; evidence: Evidence; score: number };

const AFFINE = 6;
const PERSPECTIVE = 8;
/** Much larger differences (in deviations of a window) belong to an overlay and have a low weight. */
const OUTLIER = 0.9;
const DAMPING = 0.004;
/** The damping prevents perspective that the image does not support. */
const PERSPECTIVE_DAMPING = 0.03;
const LARGEST_STEP = 0.12;
/** Smallest gain of the score per step; the refinement ends below it. */
const LEAST_GAIN = 0.004;

export type Step = { iterations: number; isPerspective: boolean };

/**
 * Fits a projection to maximise the agreement of image and frame: Gauss-Newton steps on their difference,
 * sampled again after each (inverse compositional image alignment, Baker and Matthews 2004), with outliers
 * weighted down. `show` fills `patch` with the image under a projection, normalised like `frame`. Returns the
 * best of all steps.
 */
export function refineAlignment(
  frame: Patch,
  patch: Patch,
  show: (projection: Projection) => void,
  start: Projection,
  { iterations, isPerspective }: Step,
): Agreement {
  const count = isPerspective ? PERSPECTIVE : AFFINE;
  let projection = start;
  let best: Agreement | undefined;
  for (let round = 0; ; round++) {
    show(projection);
    const agreement = compare(frame, patch, projection);
    const gain = agreement.score - (best?.score ?? 0);
    if (best === undefined || gain > 0) best = agreement;
    if (round === iterations || agreement.score <= 0 || (round > 1 && gain < LEAST_GAIN)) return best;
    const step = findStep(frame, patch, count);
    if (step === undefined) return best;
    projection = compose(projection, step);
  }
}

function compare(frame: Patch, patch: Patch, projection: Projection): Agreement {
  const evidence = weighEvidence(frame, patch);
  return { projection, evidence, score: evidence.correlation * evidence.overlap ** overlapPower };
}

const matrix = new Float64Array(PERSPECTIVE * PERSPECTIVE);
const vector = new Float64Array(PERSPECTIVE);
const slope = new Float64Array(PERSPECTIVE);

function findStep(frame: Patch, patch: Patch, count: number): Projection | undefined {
  const { width, height } = frame;
  matrix.fill(0);
  vector.fill(0);
  const gain = findGain(frame, patch);
  if (gain === undefined) return undefined;
  for (let row = 1; row < height - 1; row++) {
    const y = (row + 0.5) / height - 0.5;
    for (let column = 1; column < width - 1; column++) {
      const at = row * width + column;
      const { valid, values } = patch;
      const isInside =
        valid[at] === 1 &&
        valid[at - 1] === 1 &&
        valid[at + 1] === 1 &&
        valid[at - width] === 1 &&
        valid[at + width] === 1;
      if (!isInside) continue;
      const x = (column + 0.5) / width - 0.5;
      const difference = (frame.values[at] ?? 0) - gain * (values[at] ?? 0);
      const weight = 1 / (1 + (difference / OUTLIER) ** 2);
      const acrossBy = (gain * width * ((values[at + 1] ?? 0) - (values[at - 1] ?? 0))) / 2;
      const downBy = (gain * height * ((values[at + width] ?? 0) - (values[at - width] ?? 0))) / 2;
      slope[0] = acrossBy * x;
      slope[1] = acrossBy * y;
      slope[2] = acrossBy;
      slope[3] = downBy * x;
      slope[4] = downBy * y;
      slope[5] = downBy;
      const outward = acrossBy * x + downBy * y;
      slope[6] = -x * outward;
      slope[7] = -y * outward;
      for (let i = 0; i < count; i++) {
        const weighted = weight * (slope[i] ?? 0);
        vector[i] = (vector[i] ?? 0) + weighted * difference;
        for (let j = 0; j <= i; j++) {
          matrix[i * count + j] = (matrix[i * count + j] ?? 0) + weighted * (slope[j] ?? 0);
        }
      }
    }
  }
  const strength = ((matrix[2 * count + 2] ?? 0) + (matrix[5 * count + 5] ?? 0)) / 2;
  if (strength <= 0) return undefined;
  for (let i = 0; i < count; i++) {
    const diagonal = i * count + i;
    matrix[diagonal] = (matrix[diagonal] ?? 0) + strength * (i < AFFINE ? DAMPING : PERSPECTIVE_DAMPING);
  }
  return solve(matrix, vector, count) ? toProjection(vector, count) : undefined;
}

function findGain(frame: Patch, patch: Patch): number | undefined {
  let [product, power] = [0, 0];
  for (let at = 0; at < frame.values.length; at++) {
    const value = patch.values[at] ?? 0;
    product += value * (frame.values[at] ?? 0);
    power += value * value;
  }
  return product > 0 ? Math.max(0.5, Math.min(1.5, product / power)) : undefined;
}

function toProjection(d: Float64Array, count: number): Projection {
  let largest = 0;
  for (let i = 0; i < count; i++) largest = Math.max(largest, Math.abs(d[i] ?? 0) * (i % 3 === 2 ? 1 : 0.5));
  const factor = largest > LARGEST_STEP ? LARGEST_STEP / largest : 1;
  const of = (i: number) => (i < count ? (d[i] ?? 0) * factor : 0);
  return Float64Array.of(1 + of(0), of(1), of(2), of(3), 1 + of(4), of(5), of(6), of(7), 1);
}
