import type { FfmpegTools } from "./find-ffmpeg.ts";

export type VideoInfo = {
  durationSeconds: number;
  width: number;
  height: number;
  videoCodec: string;
  hasAudio: boolean;
  framesPerSecond: number | null;
};
export async function probeVideo(
  _tools: FfmpegTools,
  _file: string,
  _options: { signal?: AbortSignal | undefined } = {},
): Promise<VideoInfo> {
  throw new Error("soon");
}
