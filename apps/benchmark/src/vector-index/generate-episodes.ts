import type { RegionDescriptors } from "@koma/engine";
import { dequantise, quantise } from "@koma/engine/internals/nearest-neighbours/quantise";
import { createRandom } from "@koma/testing/drawing";

const DIMENSIONS = 128;
/** Frames of a generated episode. */
export const EPISODE_FRAMES = 8000;
/** Part of the new centre that is noise: 0 repeats the real centres, 1 ignores them. */
const NOISE_SHARE = 0.7;

type DescribedFrames = Pick<RegionDescriptors, "vectors" | "shotOf" | "count">;
/** The mean vector of a shot, and the differences of its frames from it. */
type Shot = { centre: Float32Array; deviations: Float32Array[] };

/**
 * Yields episodes of EPISODE_FRAMES int8 descriptors with the statistics of real ones. A generated shot has
 * the deviations of a real shot's frames, around a new centre: that of a real shot, moved by noise with the
 * covariance of all real centres.
 */
export function* generateEpisodes(
  episodes: readonly DescribedFrames[],
  seed = 1,
): Generator<Int8Array, never> {
  const shots = episodes.flatMap(readShots);
  const { mean, factor } = fitNormal(shots.map(({ centre }) => centre));
  const { next, normal } = createRandom(seed);
  const pickShot = () => shots[Math.floor(next() * shots.length)] as Shot;
  const contentShare = Math.sqrt(1 - NOISE_SHARE ** 2);
  const vector = new Float32Array(DIMENSIONS);
  const centre = new Float32Array(DIMENSIONS);
  const white = new Float32Array(DIMENSIONS);
  for (;;) {
    const codes = new Int8Array(EPISODE_FRAMES * DIMENSIONS);
    for (let frame = 0; frame < EPISODE_FRAMES; ) {
      const base = pickShot().centre;
      for (let d = 0; d < DIMENSIONS; d++) white[d] = normal();
      for (let d = 0; d < DIMENSIONS; d++) {
        let noise = 0;
        for (let e = 0; e <= d; e++) noise += (factor[d * DIMENSIONS + e] ?? 0) * (white[e] ?? 0);
        const middle = mean[d] ?? 0;
        centre[d] = middle + contentShare * ((base[d] ?? 0) - middle) + NOISE_SHARE * noise;
      }
      for (const deviation of pickShot().deviations) {
        if (frame === EPISODE_FRAMES) break;
        for (let d = 0; d < DIMENSIONS; d++) vector[d] = (centre[d] ?? 0) + (deviation[d] ?? 0);
        quantise(vector, codes.subarray(frame * DIMENSIONS, (frame + 1) * DIMENSIONS));
        frame++;
      }
    }
    yield codes;
  }
}

function readShots({ vectors, shotOf, count }: DescribedFrames): Shot[] {
  const shots: Shot[] = [];
  for (let frame = 0; frame < count; ) {
    let end = frame + 1;
    while (end < count && shotOf[end] === shotOf[frame]) end++;
    const frames: Float32Array[] = [];
    for (let at = frame; at < end; at++)
      frames.push(dequantise(vectors.subarray(at * DIMENSIONS, (at + 1) * DIMENSIONS)));
    const centre = new Float32Array(DIMENSIONS);
    for (const one of frames)
      for (let d = 0; d < DIMENSIONS; d++) centre[d] = (centre[d] ?? 0) + (one[d] ?? 0) / frames.length;
    shots.push({ centre, deviations: frames.map((one) => one.map((value, d) => value - (centre[d] ?? 0))) });
    frame = end;
  }
  return shots;
}

/** Returns the mean and the Cholesky factor of the covariance. */
function fitNormal(vectors: readonly Float32Array[]): { mean: Float64Array; factor: Float64Array } {
  const mean = new Float64Array(DIMENSIONS);
  for (const v of vectors)
    for (let d = 0; d < DIMENSIONS; d++) mean[d] = (mean[d] ?? 0) + (v[d] ?? 0) / vectors.length;
  const factor = new Float64Array(DIMENSIONS * DIMENSIONS);
  const at = (d: number, e: number) => factor[d * DIMENSIONS + e] ?? 0;
  for (const v of vectors) {
    const difference = mean.map((middle, d) => (v[d] ?? 0) - middle);
    for (let d = 0; d < DIMENSIONS; d++) {
      for (let e = 0; e <= d; e++)
        factor[d * DIMENSIONS + e] =
          at(d, e) + ((difference[d] ?? 0) * (difference[e] ?? 0)) / vectors.length;
    }
  }
  for (let d = 0; d < DIMENSIONS; d++) {
    for (let e = 0; e <= d; e++) {
      let sum = at(d, e);
      for (let k = 0; k < e; k++) sum -= at(d, k) * at(e, k);
      factor[d * DIMENSIONS + e] = d === e ? Math.sqrt(Math.max(sum, 1e-9)) : sum / at(e, e);
    }
  }
  return { mean, factor };
}
