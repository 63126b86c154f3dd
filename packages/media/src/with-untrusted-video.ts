import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { extractFrom, extractNextFrom } from "./extract-still.ts";
import type { FfmpegTools } from "./ffmpeg-tools.ts";
import { limitTools } from "./limit-tools.ts";
import { measureEnd, probeVideo } from "./probe-video.ts";
import { UnreadableVideoError } from "./unreadable-video-error.ts";

/** A video of an untrusted origin. */
export type UntrustedVideo = {
  /** From the start to the end of the last frame or sound. */
  durationSeconds: number;
  /** The end of the last frame. */
  endSeconds: number;
  /** Returns the frame at that time as JPEG. Throws as `withUntrustedVideo` does. */
  extractStill(options: { atSeconds: number; width: number }): Promise<Buffer>;
  /** As `extractStill`, but the next frame for a time between two, with the time of the frame. */
  extractNextStill(options: {
    atSeconds: number;
    width: number;
  }): Promise<{ image: Buffer; atSeconds: number }>;
};

/**
 * Calls `use` with a video of an untrusted origin and returns its result. ffmpeg has limits of memory, time,
 * pixels, codecs and protocols, and the process decodes one video at a time. The video is stored in a
 * temporary folder meanwhile. An abort kills ffmpeg. Throws UnreadableVideoError, also when `timeoutMs` have
 * passed, ToolStoppedError, and the reason of the signal.
 */
export async function withUntrustedVideo<Result>(
  tools: FfmpegTools,
  bytes: Uint8Array,
  options: { timeoutMs: number; signal?: AbortSignal | undefined },
  use: (video: UntrustedVideo) => Promise<Result>,
): Promise<Result> {
  const used = lastUsed.then(() => decode(limitTools(tools, limits), bytes, options, use));
  lastUsed = used.catch(() => undefined);
  return await used;
}

/** A frame of 4096 x 2304 pixels takes 14 MB; a decoder holds up to 17 reference frames. */
const limits = { memoryBytes: 1024 * 1024 * 1024, cpuSeconds: 20, pixels: 4096 * 2304 };

/** The process decodes one video at a time, because each may use the memory limit. */
let lastUsed: Promise<unknown> = Promise.resolve();

async function decode<Result>(
  tools: FfmpegTools,
  bytes: Uint8Array,
  options: { timeoutMs: number; signal?: AbortSignal | undefined },
  use: (video: UntrustedVideo) => Promise<Result>,
): Promise<Result> {
  options.signal?.throwIfAborted();
  const folder = await mkdtemp(join(tmpdir(), "koma-video-"));
  const file = join(folder, "video");
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const signal = options.signal === undefined ? timeout : AbortSignal.any([options.signal, timeout]);
  try {
    await writeFile(file, bytes, { mode: 0o600 });
    const video = await probeVideo(tools, file, { signal });
    const { durationSeconds } = video;
    const endSeconds =
      (video.videoEndSeconds ?? durationSeconds) || (await measureEnd(tools, file, video, signal));
    return await use({
      durationSeconds: durationSeconds || endSeconds,
      endSeconds,
      extractStill: (still) => extractFrom({ tools, file, video, signal }, still),
      extractNextStill: (still) => extractNextFrom({ tools, file, video, signal }, still),
    });
  } catch (error) {
    throw error === timeout.reason ? new UnreadableVideoError(file, "decoding takes too long") : error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
