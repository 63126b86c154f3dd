import { STRIP_PIXELS, stripSize } from "../strips/strip-frame.ts";
import { compose, type Projection } from "../verification/projection.ts";
import { solve } from "../verification/solve.ts";
import { fitTone, residualOf, type ToneFit } from "./residual.ts";
import type { Placement, ShownImage } from "./shown-image.ts";

const { width: WIDTH, height: HEIGHT } = stripSize;
const PARAMETERS = 6;
/** Products of u, v and 1 in the order of the lower half of a matrix. */
const MOMENTS = 6;
const ROUNDS = 6;
/** A round that reduces the residual to no less than this share is the last one. */
const LEAST_GAIN = 0.99;
/** Differences above this count less, in levels: captions, moved parts. */
const USUAL_DIFFERENCE = 12;
const DAMPING = 0.001;
const LARGEST_STEP = 0.05;

/**
 * Improves an affine placement until the residual of a frame does not fall: Gauss-Newton steps on the
 * differences of brightness (Lucas and Kanade 1981), large ones weighted down. Returns the placement and its
 * image.
 */
export function refinePlacement(
  pixels: Uint8Array,
  start: Placement,
  show: (placement: Placement) => ShownImage,
): { placement: Placement; shown: ShownImage; residual: number } {
  const measure = (placement: Placement) => {
    const shown = show(placement);
    const fit = fitTone(shown, pixels);
    return { placement, shown, fit, residual: residualOf(shown, pixels, fit) };
  };
  let best = measure(start);
  for (let round = 0; round < ROUNDS; round++) {
    const step = findStep(pixels, best.shown, best.fit, start.isMirrored);
    if (step === undefined) break;
    const next = measure({ ...start, projection: compose(best.placement.projection, step) });
    if (next.residual >= best.residual) break;
    const isLast = next.residual > best.residual * LEAST_GAIN;
    best = next;
    if (isLast) break;
  }
  return best;
}

/** Every second pixel of every second row is compared: the frames have few fine details. */
function findStep(
  pixels: Uint8Array,
  { values, isValid }: ShownImage,
  { gain, offset }: ToneFit,
  isMirrored: boolean,
): Projection | undefined {
  const sign = isMirrored ? -1 : 1;
  // The sums of slopeX * slopeX, slopeX * slopeY and slopeY * slopeY times each moment.
  const sums = new Float64Array(3 * MOMENTS);
  const vector = new Float64Array(PARAMETERS);
  for (let row = 1; row < HEIGHT - 1; row += 2) {
    const v = (row + 0.5) / HEIGHT - 0.5;
    for (let column = 1; column < WIDTH - 1; column += 2) {
      const at = row * WIDTH + column;
      if (!isInside(isValid, at)) continue;
      // Slopes of the image in the coordinates of the frame, which a mirrored view turns.
      const slopeX = (sign * ((values[at + 1] ?? 0) - (values[at - 1] ?? 0)) * WIDTH) / 2;
      const slopeY = (((values[at + WIDTH] ?? 0) - (values[at - WIDTH] ?? 0)) * HEIGHT) / 2;
      const u = sign * ((column + 0.5) / WIDTH - 0.5);
      const difference = gain * (pixels[at] ?? 0) + offset - (values[at] ?? 0);
      const weight = 1 / (1 + (difference / USUAL_DIFFERENCE) ** 2);
      const weightX = weight * slopeX;
      const weightY = weight * slopeY;
      addMoments(sums, 0, weightX * slopeX, u, v);
      addMoments(sums, MOMENTS, weightX * slopeY, u, v);
      addMoments(sums, 2 * MOMENTS, weightY * slopeY, u, v);
      vector[0] = (vector[0] ?? 0) + weightX * difference * u;
      vector[1] = (vector[1] ?? 0) + weightX * difference * v;
      vector[2] = (vector[2] ?? 0) + weightX * difference;
      vector[3] = (vector[3] ?? 0) + weightY * difference * u;
      vector[4] = (vector[4] ?? 0) + weightY * difference * v;
      vector[5] = (vector[5] ?? 0) + weightY * difference;
    }
  }
  const matrix = toMatrix(sums);
  const strength = ((matrix[2 * PARAMETERS + 2] ?? 0) + (matrix[5 * PARAMETERS + 5] ?? 0)) / 2;
  if (strength <= 0) return undefined;
  for (let i = 0; i < PARAMETERS; i++) {
    const diagonal = i * PARAMETERS + i;
    matrix[diagonal] = (matrix[diagonal] ?? 0) + strength * DAMPING;
  }
  if (!solve(matrix, vector, PARAMETERS)) return undefined;
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const factor = largest > LARGEST_STEP ? LARGEST_STEP / largest : 1;
  const of = (index: number) => (vector[index] ?? 0) * factor;
  return Float64Array.of(1 + of(0), of(1), of(2), of(3), 1 + of(4), of(5), 0, 0, 1);
}

function addMoments(sums: Float64Array, first: number, weight: number, u: number, v: number): void {
  sums[first] = (sums[first] ?? 0) + weight * u * u;
  sums[first + 1] = (sums[first + 1] ?? 0) + weight * u * v;
  sums[first + 2] = (sums[first + 2] ?? 0) + weight * v * v;
  sums[first + 3] = (sums[first + 3] ?? 0) + weight * u;
  sums[first + 4] = (sums[first + 4] ?? 0) + weight * v;
  sums[first + 5] = (sums[first + 5] ?? 0) + weight;
}

/** Returns the symmetric matrix of the slopes times u, v and 1: those along x, then those along y. */
function toMatrix(sums: Float64Array): Float64Array {
  const matrix = new Float64Array(PARAMETERS * PARAMETERS);
  const half = PARAMETERS / 2;
  for (let i = 0; i < PARAMETERS; i++) {
    for (let j = 0; j < PARAMETERS; j++) {
      const kind = Math.floor(i / half) + Math.floor(j / half);
      const [row, column] = [Math.max(i % half, j % half), Math.min(i % half, j % half)];
      const moment = row < 2 ? row + column : 3 + column;
      matrix[i * PARAMETERS + j] = sums[kind * MOMENTS + moment] ?? 0;
    }
  }
  return matrix;
}

function isInside(isValid: Uint8Array, at: number): boolean {
  return (
    at >= WIDTH &&
    at < STRIP_PIXELS - WIDTH &&
    isValid[at] === 1 &&
    isValid[at - 1] === 1 &&
    isValid[at + 1] === 1 &&
    isValid[at - WIDTH] === 1 &&
    isValid[at + WIDTH] === 1
  );
}
