import sharp from "sharp";

// libvips caches operations with their pixels: 300 MB per progressive JPEG of 50 megapixels, in all threads of a process together.
sharp.cache(false);
// Callers decode images side by side; several threads per image only add memory.
sharp.concurrency(1);

export type { KernelEnum, OverlayOptions, Sharp } from "sharp";
/** sharp with bounded memory: without a cache and with one thread per image. The settings hold for the whole process. */
export { sharp };
