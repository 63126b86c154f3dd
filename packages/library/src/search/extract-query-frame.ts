import { ImageError, imageLimits, measureImageDetail } from "@koma/engine";
import { type FfmpegTools, UnreadableVideoError, type UntrustedVideo, withUntrustedVideo } from "@koma/media";

/** The frame of a video that is searched, as JPEG. */
export type QueryFrame = { image: Uint8Array; atSeconds: number };

/**
 * Extracts the frame with most detail of an MP4 or WebM, as the engine chooses that of an animation. Throws
 * ImageError, ToolStoppedError, and the reason of the signal, which kills ffmpeg.
 */
export async function extractQueryFrame(
  tools: FfmpegTools,
  bytes: Uint8Array,
  options: { timeoutMs: number; signal: AbortSignal | undefined },
): Promise<QueryFrame> {
  const { signal } = options;
  if (bytes.length > imageLimits.bytes)
    throw new ImageError("image_too_large", "The video has more than 10 MiB.");
  try {
    return await withUntrustedVideo(tools, bytes, options, chooseFrame);
  } catch (cause) {
    signal?.throwIfAborted();
    if (!(cause instanceof UnreadableVideoError)) throw cause;
    throw new ImageError("image_unreadable", "The video is corrupt, truncated or of an unknown codec.", {
      cause,
    });
  }
}

/** Returns the best one of some frames, evenly distributed. */
async function chooseFrame(video: UntrustedVideo): Promise<QueryFrame> {
  if (video.durationSeconds > longestSeconds + roundingSeconds)
    throw new ImageError("image_too_large", `The video is longer than ${longestSeconds} seconds.`);
  let best: (QueryFrame & { detail: number }) | undefined;
  for (const time of selectTimes(video.endSeconds)) {
    try {
      const { image, atSeconds } = await video.extractNextStill({ atSeconds: time, width });
      const detail = await measureImageDetail(image);
      if (best === undefined || detail > best.detail)
        best = { image, atSeconds: Math.round(atSeconds * 1000) / 1000, detail };
    } catch (error) {
      // The rest of the video is corrupt, or the time is over.
      if (best === undefined || !(error instanceof UnreadableVideoError)) throw error;
      break;
    }
  }
  if (best === undefined) throw new Error("A video has candidates.");
  return { image: best.image, atSeconds: best.atSeconds };
}

/** Returns up to eight times, rounded to milliseconds. */
function selectTimes(endSeconds: number): Set<number> {
  const parts = Array.from({ length: candidates }, (_, index) => (index + 0.5) / candidates);
  return new Set(parts.map((part) => Math.round(part * endSeconds * 1000) / 1000));
}

const candidates = 8;
const longestSeconds = 60;
/** The sound of a video of 60 s may end shortly after its frames. */
const roundingSeconds = 0.5;
/**
 * Twice the size to which the engine reduces an image, so that the compression of the frame has no effect.
 */
const width = 1024;
