import type { EpisodeDescriptors } from "./episode-descriptors.ts";
import type { Model } from "./model.ts";
import type { PictureDescription } from "./picture-description.ts";

export type EngineOptions = { model: Model; workers: number; maxQueued?: number };
export type EngineFrame = { atSeconds: number; pixels: Uint8Array };

/** Opens the workers that describe pictures and films. Close it after use. */
export async function openEngine(options: EngineOptions) {
  const { model } = options;
  return {
    model,
    /** What the frames given to `describeEpisode` must be: packed RGB24 of this size, this far apart at least. */
    frameStreamOptions: { width: 128, height: 128, minGapSeconds: 0.08 },
    /** Describes a JPEG or PNG. Throws PictureError, EngineBusyError, AbortError. */
    async describePicture(_bytes: Uint8Array, _o?: { signal?: AbortSignal }): Promise<PictureDescription> {
      throw new Error("not built yet");
    },
    /** Selects, cuts and describes the frames of an episode in one pass. */
    async describeEpisode(
      _frames: AsyncIterable<EngineFrame>,
      _o?: { onProgress?: (atSeconds: number) => void; signal?: AbortSignal },
    ): Promise<EpisodeDescriptors> {
      throw new Error("not built yet");
    },
    async close(): Promise<void> {},
  };
}

/** Describes pictures and films in its own worker threads. */
export type Engine = Awaited<ReturnType<typeof openEngine>>;
