import type { FfmpegTools } from "@koma/media";

/** Draws the sample films into a folder and gives their paths; complete ones are kept. */
export async function generateSampleLibrary(_options: {
  tools: FfmpegTools;
  folder: string;
  onProgress?: (done: number, total: number) => void;
  signal?: AbortSignal;
}): Promise<string[]> {
  throw new Error("not built yet");
}
