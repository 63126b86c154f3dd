import type { FfmpegTools } from "./ffmpeg-tools.ts";
import { localInput } from "./local-input.ts";
import { runTool } from "./start-tool.ts";

/**
 * Returns the input options of ffmpeg that decode a video with the configured hardware; none when the hardware
 * does not decode its first frame. No hardware was available to test it: only the software fallback is tested.
 */
export async function findHardwareOptions(
  { ffmpegPath, hardwareDecoder = "none" }: FfmpegTools,
  file: string,
  { videoIndex, signal }: { videoIndex: number; signal: AbortSignal | undefined },
): Promise<string[]> {
  if (hardwareDecoder === "none") return [];
  const options = ["-hwaccel", hardwareDecoder];
  const oneFrame = ["-map", `0:${videoIndex}`, "-frames:v", "1", "-f", "null", "-"];
  const args = ["-nostdin", "-loglevel", "repeat+level+error", ...options, ...localInput(file), ...oneFrame];
  const { exitCode, reason } = await runTool(ffmpegPath, args, { signal });
  return exitCode === 0 && reason === "" ? options : [];
}
