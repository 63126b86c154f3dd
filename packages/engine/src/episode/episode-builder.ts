import type { EpisodeDescriptors, Shot } from "./episode-descriptors.ts";
import { roundTime } from "./frame-table.ts";

/** Quantised vectors of some frames, in order. */
export type DescribedFrames = { vectors: Int8Array; scales: Float32Array };

/** Joins what was found out about an episode, batch by batch, into its descriptors. Times become whole microseconds. */
export function buildEpisode(
  modelId: string,
  frames: readonly { atSeconds: number; shot: number }[],
  shots: readonly Shot[],
  batches: readonly DescribedFrames[],
): EpisodeDescriptors {
  const vectors = new Int8Array(batches.reduce((sum, batch) => sum + batch.vectors.length, 0));
  const scales = new Float32Array(frames.length);
  let vectorAt = 0;
  let scaleAt = 0;
  for (const batch of batches) {
    vectors.set(batch.vectors, vectorAt);
    scales.set(batch.scales, scaleAt);
    vectorAt += batch.vectors.length;
    scaleAt += batch.scales.length;
  }
  return {
    modelId,
    count: frames.length,
    atSeconds: Float64Array.from(frames, ({ atSeconds }) => roundTime(atSeconds)),
    shotOf: Uint32Array.from(frames, ({ shot }) => shot),
    shots: shots.map(({ fromSeconds, toSeconds }) => ({
      fromSeconds: roundTime(fromSeconds),
      toSeconds: roundTime(toSeconds),
    })),
    vectors,
    scales,
  };
}
