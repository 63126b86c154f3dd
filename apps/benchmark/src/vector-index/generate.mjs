// Descriptors for the benchmark: those of real videos first, then generated ones with the same statistics. A
// generated shot has the deviations of a real shot's frames from their mean, around a new centre: that of a
// real shot (of a frame or a crop) moved by noise with the covariance of all real centres.
import { readFileSync } from "node:fs";
import path from "node:path";
import { quantise } from "@koma/engine/internals/episode/quantise";
import { createRandom } from "@koma/sample-library/drawing";

const DIMENSIONS = 128;
export const EPISODE_FRAMES = 8000;
/** Fraction of the new centre that is noise: 0 repeats the real centres, 1 ignores them. */
const NOISE_SHARE = 0.7;

export function readDescribed(folder) {
  const toCodes = (file) => {
    const bytes = readFileSync(path.join(folder, file));
    return new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  };
  const videos = JSON.parse(readFileSync(path.join(folder, "videos.json"), "utf8"));
  const frames = toCodes("frames.bin");
  const crops = toCodes("crops.bin");
  let at = 0;
  const episodes = videos.map((video) => {
    const codes = frames.subarray(at * DIMENSIONS, (at + video.count) * DIMENSIONS);
    at += video.count;
    return { ...video, codes };
  });
  const perFrame = crops.length / frames.length;
  let from = 0;
  const cropped = episodes.flatMap(({ count, shotOf }) =>
    Array.from({ length: perFrame }, () => {
      const codes = crops.subarray(from * DIMENSIONS, (from + count) * DIMENSIONS);
      from += count;
      return { codes, shotOf, count };
    }),
  );
  const bytes = readFileSync(path.join(folder, "queries.bin"));
  const floats = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  const queries = JSON.parse(readFileSync(path.join(folder, "queries.json"), "utf8")).map((row, view) => ({
    ...row,
    vector: floats.subarray(view * DIMENSIONS, (view + 1) * DIMENSIONS),
  }));
  return { episodes, cropped, queries };
}

/** Returns shots as float deviations from their centres. */
function readShots({ episodes, cropped }) {
  const shots = [];
  for (const { codes, shotOf, count } of [...episodes, ...cropped]) {
    for (let frame = 0; frame < count; ) {
      let end = frame + 1;
      while (end < count && shotOf[end] === shotOf[frame]) end++;
      const frames = [];
      for (let at = frame; at < end; at++)
        frames.push(toUnit(codes.subarray(at * DIMENSIONS, (at + 1) * DIMENSIONS)));
      const centre = new Float32Array(DIMENSIONS);
      for (const one of frames) for (let d = 0; d < DIMENSIONS; d++) centre[d] += one[d] / frames.length;
      for (const one of frames) for (let d = 0; d < DIMENSIONS; d++) one[d] -= centre[d];
      shots.push({ centre, deviations: frames });
      frame = end;
    }
  }
  return shots;
}

export function toUnit(values) {
  let squares = 0;
  for (const value of values) squares += value * value;
  const factor = squares > 0 ? 1 / Math.sqrt(squares) : 0;
  return Float32Array.from(values, (value) => value * factor);
}

/** Yields episodes of generated codes, EPISODE_FRAMES frames each. */
export function* generateEpisodes(described, seed = 1) {
  const shots = readShots(described);
  const { mean, factor } = fitNormal(shots.map(({ centre }) => centre));
  const { next, normal } = createRandom(seed);
  const pick = () => shots[Math.floor(next() * shots.length)];
  const contentShare = Math.sqrt(1 - NOISE_SHARE ** 2);
  const vector = new Float32Array(DIMENSIONS);
  const centre = new Float32Array(DIMENSIONS);
  const white = new Float32Array(DIMENSIONS);
  for (;;) {
    const codes = new Int8Array(EPISODE_FRAMES * DIMENSIONS);
    for (let frame = 0; frame < EPISODE_FRAMES; ) {
      const base = pick().centre;
      for (let d = 0; d < DIMENSIONS; d++) white[d] = normal();
      for (let d = 0; d < DIMENSIONS; d++) {
        let noise = 0;
        for (let e = 0; e <= d; e++) noise += factor[d * DIMENSIONS + e] * white[e];
        centre[d] = mean[d] + contentShare * (base[d] - mean[d]) + NOISE_SHARE * noise;
      }
      for (const deviation of pick().deviations) {
        if (frame === EPISODE_FRAMES) break;
        for (let d = 0; d < DIMENSIONS; d++) vector[d] = centre[d] + deviation[d];
        quantise(vector, codes.subarray(frame * DIMENSIONS, (frame + 1) * DIMENSIONS));
        frame++;
      }
    }
    yield codes;
  }
}

/** Returns the mean and the Cholesky factor of the covariance. */
function fitNormal(vectors) {
  const mean = new Float64Array(DIMENSIONS);
  for (const v of vectors) for (let d = 0; d < DIMENSIONS; d++) mean[d] += v[d] / vectors.length;
  const factor = new Float64Array(DIMENSIONS * DIMENSIONS);
  for (const v of vectors) {
    for (let d = 0; d < DIMENSIONS; d++) {
      for (let e = 0; e <= d; e++)
        factor[d * DIMENSIONS + e] += ((v[d] - mean[d]) * (v[e] - mean[e])) / vectors.length;
    }
  }
  for (let d = 0; d < DIMENSIONS; d++) {
    for (let e = 0; e <= d; e++) {
      let sum = factor[d * DIMENSIONS + e];
      for (let k = 0; k < e; k++) sum -= factor[d * DIMENSIONS + k] * factor[e * DIMENSIONS + k];
      factor[d * DIMENSIONS + e] =
        d === e ? Math.sqrt(Math.max(sum, 1e-9)) : sum / factor[e * DIMENSIONS + e];
    }
  }
  return { mean, factor };
}
