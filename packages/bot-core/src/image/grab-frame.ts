import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sharp } from "@koma/image";
import { extractStill, type FfmpegTools, limitTools, probeVideo, UnreadableVideoError } from "@koma/media";
import { ImageError } from "./errors.ts";

/** Which frame of an animation or film: the one so many seconds in; undefined: the first with something to see. */
export type FrameChoice = { atSeconds: number } | undefined;

/** A frame of a video as JPEG. The video is stored in a temporary folder meanwhile. Throws ImageError. */
export async function grabFrame(
  video: Uint8Array,
  options: { frame: FrameChoice; mediaTools: FfmpegTools | undefined; signal: AbortSignal },
): Promise<Uint8Array> {
  const { mediaTools } = options;
  if (mediaTools === undefined) throw new ImageError("videos-off");
  const tools = limitTools(mediaTools, limits);
  const grabbed = lastGrabbed.then(() => grab(video, { ...options, tools }));
  lastGrabbed = grabbed.catch(() => undefined);
  return await grabbed;
}

/** The process decodes one video at a time, because each may use the memory limit. */
let lastGrabbed: Promise<unknown> = Promise.resolve();

async function grab(
  video: Uint8Array,
  options: { frame: FrameChoice; tools: FfmpegTools; signal: AbortSignal },
): Promise<Uint8Array> {
  const { frame, tools } = options;
  options.signal.throwIfAborted();
  const folder = await mkdtemp(join(tmpdir(), "koma-film-"));
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(grabbingMs)]);
  try {
    const file = join(folder, "film");
    await writeFile(file, video, { mode: 0o600 });
    const { durationSeconds } = await probeVideo(tools, file, { signal });
    if (frame === undefined) return await grabInformative(tools, file, durationSeconds, signal);
    const atSeconds = Math.min(frame.atSeconds, durationSeconds || frame.atSeconds);
    return await extractStill(tools, file, { atSeconds, width, signal });
  } catch (cause) {
    options.signal.throwIfAborted();
    if (cause instanceof UnreadableVideoError || signal.aborted) {
      throw new ImageError("unreadable-video", { cause });
    }
    throw cause;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The first frame, or a later one if it is nearly uniform, as at the start of many videos. */
async function grabInformative(
  tools: FfmpegTools,
  file: string,
  durationSeconds: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const first = await extractStill(tools, file, { atSeconds: 0, width, signal });
  if (await isInformative(first)) return first;
  for (const atSeconds of [0.25, 0.5].map((part) => part * durationSeconds)) {
    const later = await extractStill(tools, file, { atSeconds, width, signal });
    if (await isInformative(later)) return later;
  }
  return first;
}

async function isInformative(image: Uint8Array): Promise<boolean> {
  const { channels } = await sharp(image).stats();
  return channels.some(({ stdev }) => stdev > 8);
}

const width = 1920;
const grabbingMs = 30_000;
/** A frame of 4096 x 2304 pixels takes 14 MB; a decoder holds up to 17 reference frames. */
const limits = { memoryBytes: 1024 * 1024 * 1024, cpuSeconds: 20, pixels: 4096 * 2304 };
