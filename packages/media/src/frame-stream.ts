import type { FfmpegTools } from "./find-ffmpeg.ts";

export type VideoFrame = { atSeconds: number; pixels: Uint8Array };
export type FrameStreamOptions = {
  width: number;
  height: number;
  minGapSeconds: number;
  threads?: number | undefined;
  signal?: AbortSignal | undefined;
};
export async function* openFrameStream(
  _tools: FfmpegTools,
  _file: string,
  _options: FrameStreamOptions,
): AsyncGenerator<VideoFrame, void, void> {
  yield* [];
}
