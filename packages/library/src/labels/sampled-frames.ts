import type { EpisodeDescriptors } from "@koma/engine";

/**
 * The first frame of each shot of an episode and further ones of long shots, in order of time. A frame stands for
 * the time until the next one of its shot. The component of a vector is vectors[i * dimensions + k] * scales[i].
 */
export type SampledFrames = {
  count: number;
  dimensions: number;
  atSeconds: Float64Array;
  untilSeconds: Float64Array;
  shotOf: Uint32Array;
  vectors: Int8Array;
  scales: Float32Array;
};

/** Time between two sampled frames of one shot. */
const gapSeconds = 4;

/** Selects the frames by which episodes are compared: about 20 a minute of 350. */
export function sampleFrames(descriptors: Omit<EpisodeDescriptors, "regions" | "strips">): SampledFrames {
  const { atSeconds, shotOf, shots, scales, vectors } = descriptors;
  const dimensions = descriptors.count > 0 ? vectors.length / descriptors.count : 0;
  const chosen: number[] = [];
  for (let frame = 0; frame < descriptors.count; frame++) {
    const last = chosen.at(-1);
    const isSameShot = last !== undefined && shotOf[last] === shotOf[frame];
    if (!isSameShot || (atSeconds[frame] ?? 0) - (atSeconds[last] ?? 0) >= gapSeconds) chosen.push(frame);
  }
  const sampled: SampledFrames = {
    count: chosen.length,
    dimensions,
    atSeconds: Float64Array.from(chosen, (frame) => atSeconds[frame] ?? 0),
    untilSeconds: new Float64Array(chosen.length),
    shotOf: Uint32Array.from(chosen, (frame) => shotOf[frame] ?? 0),
    vectors: new Int8Array(chosen.length * dimensions),
    scales: Float32Array.from(chosen, (frame) => scales[frame] ?? 0),
  };
  for (const [index, frame] of chosen.entries()) {
    const isLastOfShot = sampled.shotOf[index + 1] !== sampled.shotOf[index];
    const end = isLastOfShot ? shots[sampled.shotOf[index] ?? 0]?.toSeconds : sampled.atSeconds[index + 1];
    sampled.untilSeconds[index] = Math.max(end ?? 0, sampled.atSeconds[index] ?? 0);
    sampled.vectors.set(vectors.subarray(frame * dimensions, (frame + 1) * dimensions), index * dimensions);
  }
  return sampled;
}
