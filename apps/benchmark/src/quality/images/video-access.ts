import { extractStill, type FfmpegTools, openFrameStream } from "@koma/media";

/** All that the benchmark asks of ffmpeg. */
export type VideoAccess = {
  /** Every frame with its true time, stretched to a size: packed RGB. */
  frames(
    file: string,
    size: { width: number; height: number },
  ): AsyncIterable<{ atSeconds: number; pixels: Uint8Array }>;
  /** The frame shown at that time as a JPEG, at its own size but not wider than `width`. */
  still(file: string, atSeconds: number, width: number): Promise<Buffer>;
};

/** Films through ffmpeg. */
export function createVideoAccess(tools: FfmpegTools, signal: AbortSignal): VideoAccess {
  return {
    frames: (file, size) => openFrameStream(tools, file, { ...size, minGapSeconds: 0, signal }),
    still: (file, atSeconds, width) => extractStill(tools, file, { atSeconds, width, signal }),
  };
}
