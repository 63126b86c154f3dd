import type { EpisodeDescriptors, Model } from "@koma/engine";
import { createRandom } from "@koma/testing/drawing";

const shotSeconds = 3;
/** Frames of one shot in the vectors of two episodes: a cosine of about 0.94. */
const noise = 0.25;

/** Content by its seed; equal seeds show the same shots. */
export type Content = { seed: number; seconds: number };

/** An episode of these contents, one behind the other, with one frame per second and a cut every three seconds. */
export function drawEpisode(
  model: Pick<Model, "id" | "dimensions">,
  episodeSeed: number,
  contents: readonly Content[],
): { durationSeconds: number; descriptors: EpisodeDescriptors } {
  const { dimensions } = model;
  const random = createRandom(episodeSeed).next;
  const shots: EpisodeDescriptors["shots"] = [];
  const atSeconds: number[] = [];
  const shotOf: number[] = [];
  const vectors: number[] = [];
  const scales: number[] = [];
  let start = 0;
  for (const { seed, seconds } of contents) {
    const content = createRandom(seed).next;
    for (let shotStart = 0; shotStart < seconds; shotStart += shotSeconds) {
      const length = Math.min(shotSeconds, seconds - shotStart);
      const shown = Array.from({ length: dimensions }, () => normal(content));
      shots.push({ fromSeconds: start + shotStart, toSeconds: start + shotStart + length - 0.1 });
      for (let second = 0; second < length; second++) {
        const values = shown.map((value) => value + noise * normal(random));
        const size = Math.hypot(...values);
        const scale = Math.max(...values.map(Math.abs)) / size / 127;
        atSeconds.push(start + shotStart + second);
        shotOf.push(shots.length - 1);
        scales.push(scale);
        for (const value of values) vectors.push(Math.round(value / size / scale));
      }
    }
    start += seconds;
  }
  const count = atSeconds.length;
  return {
    durationSeconds: start,
    descriptors: {
      modelId: model.id,
      aspect: 16 / 9,
      count,
      shots,
      atSeconds: Float64Array.from(atSeconds),
      shotOf: Uint32Array.from(shotOf),
      vectors: Int8Array.from(vectors),
      scales: Float32Array.from(scales),
      thumbnails: new Uint8Array(count * 480),
    },
  };
}

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
