import { createStripBuilder } from "../strips/strip-builder.ts";
import { buildEpisode, type DescribedFrames } from "./episode-builder.ts";
import type { EpisodeDescriptors } from "./episode-descriptors.ts";
import { createRegionFrameSelection, frameRegions, type RegionFrame } from "./frame-regions.ts";
import { createFrameSelection } from "./frame-selection.ts";

const BATCH_FRAMES = 16;

/**
 * A frame of a video: its time in seconds from the start, and packed RGB24 pixels of the model's input size.
 */
export type EngineFrame = { atSeconds: number; pixels: Uint8Array };

type FrameDescription<Frame> = {
  modelId: string;
  /** Display aspect ratio of the video: width divided by height. */
  aspect: number;
  size: { width: number; height: number };
  /** Maximum number of concurrent batches. */
  concurrency: number;
  /** Takes ownership of the pixels. */
  describeBatch: (pixels: Uint8Array<ArrayBuffer>) => Promise<DescribedFrames>;
  /** Describes the regions of one frame. Takes ownership of the pixels. */
  describeRegions: (pixels: Uint8Array<ArrayBuffer>) => Promise<DescribedFrames>;
  onProgress?: ((atSeconds: number) => void) | undefined;
  /** Receives each frame of a shot with the index of the shot, whether its descriptor is stored or not. */
  onShotFrame?: ((frame: Frame, shot: number) => void) | undefined;
  signal?: AbortSignal | undefined;
};

/**
 * Describes a video in one pass. The pixels of a few batches are in memory at a time, whatever the length of
 * the video; frames are read no faster than they are described. Frames out of order (broken timestamps) are
 * skipped. Throws RangeError for a frame of another size, and the errors of the frame stream and of the
 * signal.
 */
export async function describeFrames<Frame extends EngineFrame>(
  frames: AsyncIterable<Frame>,
  options: FrameDescription<Frame>,
): Promise<EpisodeDescriptors> {
  const { size, signal } = options;
  const frameBytes = size.width * size.height * 3;
  const selection = createFrameSelection(size);
  const selected: { atSeconds: number; shot: number }[] = [];
  const results: Promise<DescribedFrames>[] = [];
  const regionSelection = createRegionFrameSelection();
  const regions: { atSeconds: number; shot: number }[] = [];
  const regionResults: Promise<DescribedFrames>[] = [];
  const strips = createStripBuilder(size);
  let batch = new Uint8Array(BATCH_FRAMES * frameBytes);
  let batchCount = 0;
  let lastSeconds = 0;
  const submit = async () => {
    const described = options.describeBatch(batch.subarray(0, batchCount * frameBytes));
    described.catch(() => undefined);
    results.push(described);
    batch = new Uint8Array(BATCH_FRAMES * frameBytes);
    batchCount = 0;
    await results.at(-options.concurrency);
  };

  const submitRegions = async (chosen: readonly RegionFrame[]) => {
    for (const { atSeconds, shot, pixels } of chosen) {
      const described = options.describeRegions(Uint8Array.from(pixels));
      described.catch(() => undefined);
      regionResults.push(described);
      for (const _region of frameRegions) regions.push({ atSeconds, shot });
      await regionResults.at(-options.concurrency);
    }
  };

  for await (const frame of frames) {
    const { atSeconds, pixels } = frame;
    signal?.throwIfAborted();
    if (pixels.length !== frameBytes)
      throw new RangeError(`A frame has ${pixels.length} bytes, not ${frameBytes}.`);
    if (!(atSeconds >= lastSeconds)) continue;
    lastSeconds = atSeconds;
    const shot = selection.take(atSeconds, pixels);
    // A flat frame belongs to no shot.
    const isInShot = selection.shots.at(-1)?.toSeconds === atSeconds;
    if (isInShot) strips.take(atSeconds, selection.shots.length - 1, pixels);
    if (isInShot) options.onShotFrame?.(frame, selection.shots.length - 1);
    if (shot !== undefined) {
      selected.push({ atSeconds, shot });
      await submitRegions(regionSelection.take({ atSeconds, shot, pixels }));
      batch.set(pixels, batchCount++ * frameBytes);
      if (batchCount === BATCH_FRAMES) await submit();
    }
    options.onProgress?.(atSeconds);
  }
  if (batchCount > 0) await submit();
  await submitRegions(regionSelection.finish());
  return {
    ...buildEpisode(options, selected, selection.shots, await Promise.all(results)),
    regions: buildEpisode(options, regions, selection.shots, await Promise.all(regionResults)),
    strips: strips.finish(),
  };
}
