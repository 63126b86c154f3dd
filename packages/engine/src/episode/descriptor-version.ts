import type { EncodedDescriptors } from "./descriptor-codec.ts";
import { isStripChunk } from "./strip-chunks.ts";

/**
 * The version of what new descriptors contain, beside their model: 1 has vectors and thumbnails of the kept
 * frames, 2 has also the grey values of all frames, as strips. An episode of an earlier version stays searchable.
 */
export const descriptorVersion = 2;

/** Returns the version of encoded descriptors. Those without frames have nothing that a later version adds. */
export function readDescriptorVersion({
  chunks,
  frameCount,
}: Pick<EncodedDescriptors, "chunks"> & { frameCount: number }): number {
  return frameCount === 0 || chunks.some(isStripChunk) ? descriptorVersion : 1;
}
