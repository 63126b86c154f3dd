import sharp from "sharp";

// libvips caches operations with their pixels: 300 MB per progressive JPEG of 50 megapixels, for all threads
// of a process.
sharp.cache(false);
// Callers decode images concurrently; several threads per image would only add memory.
sharp.concurrency(1);

export type { KernelEnum, OverlayOptions, Sharp, SharpOptions } from "sharp";
/**
 * sharp with bounded memory: without a cache and with one thread per image. The settings apply to the whole
 * process.
 */
export { sharp };
