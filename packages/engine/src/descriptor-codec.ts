import type { EpisodeDescriptors } from "./episode-descriptors.ts";

/** Bytes that are not descriptors of the stated model, or not whole. */
export class CorruptDescriptorsError extends Error {
  override readonly name = "CorruptDescriptorsError";
}

/** The times and shots of an episode as bytes (about 7 per frame). */
export function encodeFrameTable(_descriptors: EpisodeDescriptors): Uint8Array {
  throw new Error("not built yet");
}

/** The vectors of an episode as byte blocks of at most `limitBytes`, in order. */
export function encodeDescriptorChunks(_descriptors: EpisodeDescriptors, _limitBytes: number): Uint8Array[] {
  throw new Error("not built yet");
}

/** The episode that `encodeFrameTable` and `encodeDescriptorChunks` made. Throws CorruptDescriptorsError. */
export function decodeDescriptors(
  _modelId: string,
  _frameTable: Uint8Array,
  _chunks: readonly Uint8Array[],
): EpisodeDescriptors {
  throw new Error("not built yet");
}
