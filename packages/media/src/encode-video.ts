import { once } from "node:events";
import type { Writable } from "node:stream";
import type { FfmpegTools } from "./find-ffmpeg.ts";
import { localUrl } from "./local-input.ts";
import { startTool, type Tool } from "./start-tool.ts";
import { writeOutput } from "./write-output.ts";

export type EncodeOptions = {
  /** Even numbers. */
  width: number;
  height: number;
  framesPerSecond: number;
  /** Packed RGB, 8 bits each, `width * height * 3` bytes per frame; read only as fast as they are encoded. */
  frames: AsyncIterable<Uint8Array>;
  /** Its folder exists. */
  outputFile: string;
  signal?: AbortSignal | undefined;
};

/**
 * Encodes frames to an MP4 film (H.264, no sound). The same frames and the same ffmpeg give the same bytes. The file
 * has its name only when it is whole. Throws what `frames` throws, the signal's reason, or an Error with ffmpeg's words.
 */
export async function encodeVideo(tools: FfmpegTools, options: EncodeOptions): Promise<void> {
  await writeOutput(options.outputFile, async (temporaryFile) => {
    const tool = startTool(tools.ffmpegPath, encodeArguments(options, temporaryFile), {
      takesInput: true,
      signal: options.signal,
    });
    try {
      await feed(tool, options);
      const { exitCode, reason } = await tool.ended;
      options.signal?.throwIfAborted();
      if (exitCode !== 0) throw new Error(`The film could not be encoded: ${reason || "ffmpeg failed"}`);
    } finally {
      tool.stop();
      await tool.ended.catch(() => {});
    }
  });
}

async function feed({ stdin, stdout, ended }: Tool, { width, height, frames, signal }: EncodeOptions) {
  if (stdin === null) throw new Error("a child process without standard input");
  stdout.resume();
  const gone = ended.then(
    () => true,
    () => true,
  );
  for await (const frame of frames) {
    signal?.throwIfAborted();
    if (frame.length !== width * height * 3)
      throw new RangeError(`a frame of ${frame.length} instead of ${width * height * 3} bytes`);
    if (!(await write(stdin, frame, gone))) break;
  }
  stdin.end();
}

/** False when the reader is gone. */
async function write(stdin: Writable, frame: Uint8Array, gone: Promise<boolean>): Promise<boolean> {
  if (stdin.destroyed) return false;
  if (stdin.write(frame)) return true;
  const waiting = new AbortController();
  const drained = once(stdin, "drain", { signal: waiting.signal }).catch(() => {});
  try {
    return (await Promise.race([drained, gone])) !== true;
  } finally {
    waiting.abort();
  }
}

function encodeArguments({ width, height, framesPerSecond }: EncodeOptions, temporaryFile: string): string[] {
  return [
    ...["-hide_banner", "-nostats", "-loglevel", "repeat+level+error"],
    ...["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", `${width}x${height}`, "-r", String(framesPerSecond)],
    ...["-i", "pipe:0", "-c:v", "libx264", "-preset", "veryfast", "-crf", "21", "-pix_fmt", "yuv420p"],
    // One thread and no version strings: the bytes depend on the frames alone.
    ...["-threads", "1", "-flags:v", "+bitexact", "-fflags", "+bitexact", "-map_metadata", "-1"],
    ...["-movflags", "+faststart", "-f", "mp4", "-y", localUrl(temporaryFile)],
  ];
}
