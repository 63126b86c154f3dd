import { createRandom } from "@koma/testing/drawing";

export const dimensions = 128;

/** Directions in which shots differ: descriptors of real frames differ in few of all possible ones. */
const directions = createDirections(32);

/** Creates the codes of an episode: shots of ten similar frames. */
export function createEpisode(seed: number, frames: number): Int8Array {
  const normal = createRandom(seed).normal;
  const codes = new Int8Array(frames * dimensions);
  let shot: Float32Array = new Float32Array(dimensions);
  for (let frame = 0; frame < frames; frame++) {
    if (frame % 10 === 0) shot = createShot(normal);
    for (let at = 0; at < dimensions; at++) {
      const value = Math.round(((shot[at] ?? 0) + 0.3 * normal()) * 35);
      codes[frame * dimensions + at] = Math.max(-127, Math.min(127, value));
    }
  }
  return codes;
}

function createShot(normal: () => number): Float32Array {
  const shot = new Float32Array(dimensions);
  for (const [rank, direction] of directions.entries()) {
    const size = (3 * normal()) / Math.sqrt(1 + rank);
    for (let at = 0; at < dimensions; at++) shot[at] = (shot[at] ?? 0) + size * (direction[at] ?? 0);
  }
  return shot;
}

function createDirections(count: number): Float32Array[] {
  const normal = createRandom(99).normal;
  return Array.from({ length: count }, () => Float32Array.from({ length: dimensions }, () => normal() * 0.3));
}

export function codeOf(codes: Int8Array, frame: number): Int8Array {
  return codes.subarray(frame * dimensions, (frame + 1) * dimensions);
}

export function toUnit(vector: Iterable<number>): Float32Array {
  const values = Float32Array.from(vector);
  const length = Math.hypot(...values);
  return values.map((value) => value / length);
}

/** Returns a view of a frame: its vector with noise. */
export function createView(codes: Int8Array, frame: number, noise = 0.05, seed = frame): Float32Array {
  const normal = createRandom(seed + 1).normal;
  return toUnit(toUnit(codeOf(codes, frame)).map((value) => value + noise * normal()));
}

export type ExactFrame = { episodeKey: string; frame: number; cosine: number };

/** Returns all frames by cosine, best first. */
export function findExactly(episodes: ReadonlyMap<string, Int8Array>, view: Float32Array): ExactFrame[] {
  const all: ExactFrame[] = [];
  for (const [episodeKey, codes] of episodes) {
    for (let from = 0, frame = 0; from < codes.length; from += dimensions, frame++) {
      let [sum, squares] = [0, 0];
      for (let at = 0; at < dimensions; at++) {
        const value = codes[from + at] ?? 0;
        sum += value * (view[at] ?? 0);
        squares += value * value;
      }
      all.push({ episodeKey, frame, cosine: squares > 0 ? sum / Math.sqrt(squares) : 0 });
    }
  }
  return all.sort((a, b) => b.cosine - a.cosine);
}
