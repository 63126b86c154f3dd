import { type Comparison, openAlignmentKernel } from "./alignment-kernel.ts";
import { type Evidence, weighEvidence } from "./evidence.ts";
import { overlapPower } from "./find-alignments.ts";
import type { Patch } from "./patch.ts";
import { compose, type Projection } from "./projection.ts";
import { solve } from "./solve.ts";

/** The agreement of a frame's pixels with an image under a projection. */
export type Agreement = { projection: Projection; evidence: Evidence; score: number };

const AFFINE = 6;
const PERSPECTIVE = 8;
const DAMPING = 0.004;
/** The damping prevents perspective that the image does not support. */
const PERSPECTIVE_DAMPING = 0.03;
const LARGEST_STEP = 0.12;
/** Smallest gain of the score per step; the refinement ends below it. */
const LEAST_GAIN = 0.004;

/** The frame at one of its sizes, in the kernel, and the patch that shows the image. */
export type RefinedFrame = { name: "frame" | "coarseFrame"; patch: Patch };

export type Step = { iterations: number; isPerspective: boolean };

/**
 * Fits a projection to maximise the agreement of image and frame: Gauss-Newton steps on their difference,
 * sampled again after each (inverse compositional image alignment, Baker and Matthews 2004), with outliers
 * weighted down. `show` fills the patch with the image under a projection, normalised like `frame`. Returns
 * the best of all steps.
 */
export function refineAlignment(
  frame: RefinedFrame,
  show: (projection: Projection) => void,
  start: Projection,
  { iterations, isPerspective }: Step,
): Agreement {
  const count = isPerspective ? PERSPECTIVE : AFFINE;
  let projection = start;
  let best: Agreement | undefined;
  for (let round = 0; ; round++) {
    show(projection);
    const sums = openAlignmentKernel().compare(frame.name, "image", frame.patch);
    const agreement = agreementOf(sums, frame.patch.values.length, projection);
    const gain = agreement.score - (best?.score ?? 0);
    if (best === undefined || gain > 0) best = agreement;
    if (round === iterations || agreement.score <= 0 || (round > 1 && gain < LEAST_GAIN)) return best;
    const step = findStep(frame, sums, count);
    if (step === undefined) return best;
    projection = compose(projection, step);
  }
}

function agreementOf(sums: Comparison, count: number, projection: Projection): Agreement {
  const evidence = weighEvidence(sums, count);
  return { projection, evidence, score: evidence.correlation * evidence.overlap ** overlapPower };
}

function findStep(
  { name, patch }: RefinedFrame,
  { product, powerOfPatch }: Comparison,
  count: number,
): Projection | undefined {
  if (product <= 0) return undefined;
  const gain = Math.max(0.5, Math.min(1.5, product / powerOfPatch));
  const { matrix, vector } = openAlignmentKernel().findStep(name, "image", patch, count, gain);
  const strength = ((matrix[2 * count + 2] ?? 0) + (matrix[5 * count + 5] ?? 0)) / 2;
  if (strength <= 0) return undefined;
  for (let i = 0; i < count; i++) {
    const diagonal = i * count + i;
    matrix[diagonal] = (matrix[diagonal] ?? 0) + strength * (i < AFFINE ? DAMPING : PERSPECTIVE_DAMPING);
  }
  return solve(matrix, vector, count) ? toProjection(vector, count) : undefined;
}

function toProjection(d: Float64Array, count: number): Projection {
  let largest = 0;
  for (let i = 0; i < count; i++) largest = Math.max(largest, Math.abs(d[i] ?? 0) * (i % 3 === 2 ? 1 : 0.5));
  const factor = largest > LARGEST_STEP ? LARGEST_STEP / largest : 1;
  const of = (i: number) => (i < count ? (d[i] ?? 0) * factor : 0);
  return Float64Array.of(1 + of(0), of(1), of(2), of(3), 1 + of(4), of(5), of(6), of(7), 1);
}
