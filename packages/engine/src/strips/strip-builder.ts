import { encodeStrip, type StripFrame, type StripQuality } from "./encode-strip.ts";
import { reduceToStrip } from "./reduce-to-strip.ts";
import { FRAMES_PER_STRIP } from "./strip-frame.ts";

/** The strips of an episode in order of time, with the indices of their shots. */
export type EpisodeStrips = { shotOf: number[]; bytes: Uint8Array[] };

/** Mean size of a frame in an episode; the strips of a still shot leave more for those with motion. */
const BYTES_PER_FRAME = 58;
const MOST_SAVED_BYTES = 64 * 1024;
/**
 * From fine to coarse. The right frame is found as well with the first four; the last one fits in any case.
 */
const QUALITIES: readonly [StripQuality, ...StripQuality[]] = [
  { step: 16, tolerance: 5, every: 1 },
  { step: 24, tolerance: 6, every: 1 },
  { step: 32, tolerance: 8, every: 1 },
  { step: 32, tolerance: 8, every: 2 },
  { step: 40, tolerance: 10, every: 2 },
  { step: 48, tolerance: 11, every: 3 },
  { step: 64, tolerance: 14, every: 3 },
];

/**
 * Collects all sampled frames of the shots of an episode in strips. A strip has the finest quality that its
 * size permits: 58 bytes per frame on average over the episode so far.
 */
export function createStripBuilder(size: { width: number; height: number }) {
  const strips: EpisodeStrips = { shotOf: [], bytes: [] };
  let frames: StripFrame[] = [];
  let shotOfFrames = 0;
  let savedBytes = 0;
  let quality = 0;

  function close(): void {
    if (frames.length === 0) return;
    const allowed = frames.length * BYTES_PER_FRAME + savedBytes / 2;
    // Neighbouring strips are alike: the search starts near the quality of the last one.
    quality = Math.max(0, quality - 1);
    let bytes = encode();
    while (bytes.length > allowed && quality < QUALITIES.length - 1) {
      quality++;
      bytes = encode();
    }
    savedBytes = Math.min(MOST_SAVED_BYTES, savedBytes + frames.length * BYTES_PER_FRAME - bytes.length);
    strips.shotOf.push(shotOfFrames);
    strips.bytes.push(bytes);
    frames = [];
  }

  const encode = () => encodeStrip(frames, QUALITIES[quality] ?? QUALITIES[0]);

  return {
    /** Adds a frame: packed RGB24 of the stated size. */
    take(atSeconds: number, shot: number, pixels: Uint8Array): void {
      if (shot !== shotOfFrames || frames.length === FRAMES_PER_STRIP) close();
      shotOfFrames = shot;
      frames.push({ atSeconds, pixels: reduceToStrip(pixels, size) });
    },
    finish(): EpisodeStrips {
      close();
      return strips;
    },
  };
}
