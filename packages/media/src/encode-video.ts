import type { FfmpegTools } from "./find-ffmpeg.ts";

export type EncodeOptions = {
  width: number;
  height: number;
  framesPerSecond: number;
  frames: AsyncIterable<Uint8Array>;
  outputFile: string;
  signal?: AbortSignal | undefined;
};
export async function encodeVideo(_tools: FfmpegTools, _options: EncodeOptions): Promise<void> {
  throw new Error("soon");
}
