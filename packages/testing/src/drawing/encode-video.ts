import { spawn } from "node:child_process";
import { once } from "node:events";
import { rename, rm } from "node:fs/promises";
import { resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

export type EncodeOptions = {
  /** Even numbers. */
  width: number;
  height: number;
  framesPerSecond: number;
  /** Packed RGB, 8 bits each, `width * height * 3` bytes per frame; read only as fast as they are encoded. */
  frames: AsyncIterable<Uint8Array>;
  /** The path of the video; its folder must exist. */
  outputFile: string;
};

/**
 * Encodes frames to an MP4 video (H.264, no sound). The same frames and the same ffmpeg produce the same
 * bytes. The file is renamed when it is complete. Throws the errors of `frames`, or an Error with the output
 * of ffmpeg.
 */
export async function encodeVideo(tools: { ffmpegPath: string }, options: EncodeOptions): Promise<void> {
  const outputFile = resolve(options.outputFile);
  const temporaryFile = `${outputFile}.part`;
  const child = spawn(tools.ffmpegPath, encodeArguments(options, temporaryFile), {
    stdio: ["pipe", "ignore", "pipe"],
  });
  const { stdin, stderr } = child;
  let reason = "";
  stderr.setEncoding("utf8").on("data", (text: string) => {
    reason = (reason + text).slice(-4096);
  });
  const closed = once(child, "close");
  closed.catch(() => {});
  try {
    // A failing ffmpeg closes the pipe; its exit code and output describe the cause better than EPIPE.
    await pipeline(Readable.from(checked(options)), stdin).catch((error: NodeJS.ErrnoException) => {
      if (!["EPIPE", "ECONNRESET", "ERR_STREAM_PREMATURE_CLOSE"].includes(error.code ?? "")) throw error;
    });
    const [exitCode] = await closed;
    if (exitCode !== 0) throw new Error(`The video could not be encoded: ${reason.trim()}`);
    await rename(temporaryFile, outputFile);
  } catch (error) {
    child.kill("SIGKILL");
    await closed.catch(() => {});
    await rm(temporaryFile, { force: true });
    throw error;
  }
}

async function* checked({ frames, width, height }: EncodeOptions): AsyncGenerator<Uint8Array, void, void> {
  for await (const frame of frames) {
    if (frame.length !== width * height * 3)
      throw new RangeError(`a frame of ${frame.length} instead of ${width * height * 3} bytes`);
    yield frame;
  }
}

function encodeArguments({ width, height, framesPerSecond }: EncodeOptions, outputFile: string): string[] {
  return [
    ...["-hide_banner", "-nostats", "-loglevel", "error"],
    ...["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", `${width}x${height}`, "-r", String(framesPerSecond)],
    ...["-i", "pipe:0", "-c:v", "libx264", "-pix_fmt", "yuv420p"],
    // The eight sample clips take 2.8 MB; with preset veryfast and a rate factor of 21 they take 4.6 MB.
    ...["-preset", "slow", "-tune", "animation", "-crf", "26"],
    // One thread and no version strings: the bytes depend on the frames alone.
    ...["-threads", "1", "-flags:v", "+bitexact", "-fflags", "+bitexact", "-map_metadata", "-1"],
    ...["-movflags", "+faststart", "-f", "mp4", "-y", `file:${outputFile}`],
  ];
}
