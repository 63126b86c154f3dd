import type { FfmpegTools } from "./find-ffmpeg.ts";

export type StillOptions = { atSeconds: number; width: number; signal?: AbortSignal | undefined };
export async function extractStill(
  _tools: FfmpegTools,
  _file: string,
  _options: StillOptions,
): Promise<Buffer> {
  throw new Error("soon");
}
