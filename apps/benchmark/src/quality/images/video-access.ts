import { extractStill, type FfmpegTools, openFrameStream } from "@koma/media";

/** The ffmpeg functions of the benchmark. */
export type VideoAccess = {
  /** Yields every frame with its exact time, stretched to a size: packed RGB. */
  frames(
    file: string,
    size: { width: number; height: number },
  ): AsyncIterable<{ atSeconds: number; pixels: Uint8Array }>;
  /** Returns the frame at that time as a JPEG, at its own size but at most `width` wide. */
  still(file: string, atSeconds: number, width: number): Promise<Buffer>;
};

/** Reads videos with ffmpeg. */
export function createVideoAccess(tools: FfmpegTools, signal: AbortSignal): VideoAccess {
  return {
    frames: (file, size) => openFrameStream(tools, file, { ...size, minGapSeconds: 0, signal }),
    still: (file, atSeconds, width) => extractStill(tools, file, { atSeconds, width, signal }),
  };
}
