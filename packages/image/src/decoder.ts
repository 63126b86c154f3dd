import { createRequire } from "node:module";
import type createDecoder from "sharp";
import type { Sharp, SharpInput, SharpOptions } from "sharp";

export type { KernelEnum, OverlayOptions, Sharp, SharpOptions } from "sharp";

let loaded: typeof createDecoder | undefined;

/**
 * sharp with bounded memory: without a cache and with one thread per image. The settings apply to the whole
 * process. The first call loads it, which takes 50 ms: most threads and commands that import this decode nothing.
 */
export function sharp(input?: SharpInput | SharpInput[] | SharpOptions, options?: SharpOptions): Sharp {
  // The declaration has one signature for files and one for options alone.
  return loadDecoder()(input as SharpInput, options);
}

/** Loads sharp before its first call. */
export function loadDecoder(): typeof createDecoder {
  if (loaded !== undefined) return loaded;
  loaded = createRequire(import.meta.url)("sharp") as typeof createDecoder;
  // libvips caches operations with their pixels: 300 MB per progressive JPEG of 50 megapixels, for all threads
  // of a process.
  loaded.cache(false);
  // Callers decode images concurrently; several threads per image would only add memory.
  loaded.concurrency(1);
  return loaded;
}
