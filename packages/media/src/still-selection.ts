import type { VideoInfo } from "./probe-video.ts";

// A shot lasts at least 0.3 s, so nearly every shot has a still; a frame is up to 10 ms earlier than its rate
// states.
const gapMicroseconds = 240_000;

/** The filter that selects the frames of a frame stream that are delivered as stills too. */
export const selectStills = `select='isnan(prev_selected_pts)+gte(pts-prev_selected_pts,${gapMicroseconds})'`;

/** Returns a function that repeats the selection of `selectStills` from the times of consecutive frames. */
export function createStillSelection(): (atSeconds: number) => boolean {
  let last: number | undefined;
  return (atSeconds) => {
    const at = Math.round(atSeconds * 1e6);
    if (last !== undefined && at - last < gapMicroseconds) return false;
    last = at;
    return true;
  };
}

/** Returns the size of a still in square pixels: at most `width` wide, and never wider than the video. */
export function stillSize(video: VideoInfo, width: number): { width: number; height: number } {
  const scaledWidth = Math.min(width, video.width);
  return {
    width: scaledWidth,
    height: Math.max(1, Math.round((video.height * scaledWidth) / video.width)),
  };
}
