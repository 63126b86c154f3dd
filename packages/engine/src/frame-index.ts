import type { EpisodeDescriptors } from "./episode-descriptors.ts";
import type { Model } from "./model.ts";
import type { PictureDescription } from "./picture-description.ts";
import type { Scene } from "./scene.ts";

export type FrameIndexOptions = { model: Model; cacheFolder?: string; kind?: "hnsw" | "exact" };

/** Opens an empty index of frames in a worker thread of its own. Close it after use. */
export async function openFrameIndex(_options: FrameIndexOptions) {
  return {
    /** Takes the content of the cache; undefined (and still empty) when there is none that can be used. */
    async restore(): Promise<{ seq: string; episodeKeys: string[] } | undefined> {
      return undefined;
    },
    /** Adds an episode, or replaces it at once for searchers. */
    async add(_episodeKey: string, _descriptors: EpisodeDescriptors): Promise<void> {},
    async remove(_episodeKey: string): Promise<void> {},
    /** Scenes that look like the picture, best first, one per shot. */
    async search(
      _picture: PictureDescription,
      _o: { limit: number; episodeKeys?: ReadonlySet<string> },
    ): Promise<Scene[]> {
      return [];
    },
    /** Writes the cache so that `restore` finds it, with the change number it stands for. */
    async save(_seq: string): Promise<void> {},
    async stats(): Promise<{ frames: number; episodes: number; memoryBytes: number }> {
      return { frames: 0, episodes: 0, memoryBytes: 0 };
    },
    async close(): Promise<void> {},
  };
}

/** Nearest neighbours among the frames of all episodes. */
export type FrameIndex = Awaited<ReturnType<typeof openFrameIndex>>;
