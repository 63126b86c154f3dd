import { frameThumbnailSize } from "../pixels/frame-thumbnail.ts";
import type { EpisodeDescriptors, Shot } from "./episode-descriptors.ts";
import { roundAspect, roundTime } from "./frame-table.ts";

/** Quantised vectors and thumbnails of consecutive frames. */
export type DescribedFrames = { vectors: Int8Array; scales: Float32Array; thumbnails: Uint8Array };

/**
 * Joins the descriptions of batches into the descriptors of an episode. Times are rounded to microseconds.
 */
export function buildEpisode(
  { modelId, aspect }: { modelId: string; aspect: number },
  frames: readonly { atSeconds: number; shot: number }[],
  shots: readonly Shot[],
  batches: readonly DescribedFrames[],
): EpisodeDescriptors {
  const vectors = new Int8Array(batches.reduce((sum, batch) => sum + batch.vectors.length, 0));
  const scales = new Float32Array(frames.length);
  const thumbnails = new Uint8Array(frames.length * frameThumbnailSize.bytes);
  let vectorAt = 0;
  let scaleAt = 0;
  for (const batch of batches) {
    vectors.set(batch.vectors, vectorAt);
    scales.set(batch.scales, scaleAt);
    thumbnails.set(batch.thumbnails, scaleAt * frameThumbnailSize.bytes);
    vectorAt += batch.vectors.length;
    scaleAt += batch.scales.length;
  }
  return {
    modelId,
    aspect: roundAspect(aspect),
    count: frames.length,
    atSeconds: Float64Array.from(frames, ({ atSeconds }) => roundTime(atSeconds)),
    shotOf: Uint32Array.from(frames, ({ shot }) => shot),
    shots: shots.map(({ fromSeconds, toSeconds }) => ({
      fromSeconds: roundTime(fromSeconds),
      toSeconds: roundTime(toSeconds),
    })),
    vectors,
    scales,
    thumbnails,
  };
}
