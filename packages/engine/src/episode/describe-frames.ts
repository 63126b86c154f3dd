import { buildEpisode, type DescribedFrames } from "./episode-builder.ts";
import type { EpisodeDescriptors } from "./episode-descriptors.ts";
import { createRegionFrameSelection, frameRegions, type RegionFrame } from "./frame-regions.ts";
import { createFrameSelection } from "./frame-selection.ts";

const BATCH_FRAMES = 16;

/** A frame of a film: its time in seconds from the start, and packed RGB24 pixels of the model's input size. */
export type EngineFrame = { atSeconds: number; pixels: Uint8Array };

type FrameDescription = {
  modelId: string;
  /** Width of the film on the screen divided by its height. */
  aspect: number;
  size: { width: number; height: number };
  /** Batches under way at the same time. */
  concurrency: number;
  /** Takes the pixels over. */
  describeBatch: (pixels: Uint8Array<ArrayBuffer>) => Promise<DescribedFrames>;
  /** Describes the regions of one frame. Takes the pixels over. */
  describeRegions: (pixels: Uint8Array<ArrayBuffer>) => Promise<DescribedFrames>;
  onProgress?: ((atSeconds: number) => void) | undefined;
  signal?: AbortSignal | undefined;
};

/**
 * Describes a film in one pass. Holds a few batches of pixels at a time whatever the film's length; frames are asked for no faster than
 * they are described. Frames out of order (broken time stamps) are left out. Throws RangeError for a frame of another size, and what the
 * frames or the signal throw.
 */
export async function describeFrames(
  frames: AsyncIterable<EngineFrame>,
  options: FrameDescription,
): Promise<EpisodeDescriptors> {
  const { size, signal } = options;
  const frameBytes = size.width * size.height * 3;
  const selection = createFrameSelection(size);
  const selected: { atSeconds: number; shot: number }[] = [];
  const results: Promise<DescribedFrames>[] = [];
  const regionSelection = createRegionFrameSelection();
  const regions: { atSeconds: number; shot: number }[] = [];
  const regionResults: Promise<DescribedFrames>[] = [];
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

  for await (const { atSeconds, pixels } of frames) {
    signal?.throwIfAborted();
    if (pixels.length !== frameBytes)
      throw new RangeError(`A frame has ${pixels.length} bytes, not ${frameBytes}.`);
    if (!(atSeconds >= lastSeconds)) continue;
    lastSeconds = atSeconds;
    const shot = selection.take(atSeconds, pixels);
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
  };
}
