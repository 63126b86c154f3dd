import { sharp } from "@koma/image";
import { type FfmpegTools, UnreadableVideoError, type UntrustedVideo, withUntrustedVideo } from "@koma/media";
import { ImageError } from "./errors.ts";

/**
 * Which frame of an animation or film: the one so many seconds in; undefined: the first with something to
 * see.
 */
export type FrameChoice = { atSeconds: number } | undefined;

/** A frame of a video as JPEG. Throws ImageError. */
export async function grabFrame(
  bytes: Uint8Array,
  options: { frame: FrameChoice; mediaTools: FfmpegTools | undefined; signal: AbortSignal },
): Promise<Uint8Array> {
  const { frame, mediaTools, signal } = options;
  if (mediaTools === undefined) throw new ImageError("videos-off");
  try {
    return await withUntrustedVideo(mediaTools, bytes, { timeoutMs: grabbingMs, signal }, async (video) => {
      if (frame === undefined) return await grabInformative(video);
      const atSeconds = Math.min(frame.atSeconds, video.durationSeconds || frame.atSeconds);
      return await video.extractStill({ atSeconds, width });
    });
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof UnreadableVideoError) throw new ImageError("unreadable-video", { cause });
    throw cause;
  }
}

/** The first frame, or a later one if it is nearly uniform, as at the start of many videos. */
async function grabInformative(video: UntrustedVideo): Promise<Uint8Array> {
  const first = await video.extractStill({ atSeconds: 0, width });
  if (await isInformative(first)) return first;
  for (const atSeconds of [0.25, 0.5].map((part) => part * video.durationSeconds)) {
    const later = await video.extractStill({ atSeconds, width });
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
