import type { FfmpegTools } from "./find-ffmpeg.ts";

export type ClipOptions = {
  fromSeconds: number;
  toSeconds: number;
  height: number;
  isMuted: boolean;
  outputFile: string;
  signal?: AbortSignal | undefined;
};
export async function cutClip(_tools: FfmpegTools, _file: string, _options: ClipOptions): Promise<void> {
  throw new Error("soon");
}
