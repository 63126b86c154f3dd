import type { FfmpegTools } from "./ffmpeg-tools.ts";
import { localInput } from "./local-input.ts";
import { probeVideo, seekTimes, type VideoInfo } from "./probe-video.ts";
import { filterTime, nearSeconds, shownTime, showTimes } from "./show-times.ts";
import { runTool } from "./start-tool.ts";
import { stillSize } from "./still-selection.ts";
import { UnreadableVideoError } from "./unreadable-video-error.ts";

export type StillOptions = {
  /**
   * From the start of the container; selects the frame on the screen at that time, and the first or last one
   * beyond the ends.
   */
  atSeconds: number;
  /** In pixels; a narrower video keeps its own width. */
  width: number;
  /** Runs ffmpeg at the lowest priority; default false. */
  isLowPriority?: boolean | undefined;
  signal?: AbortSignal | undefined;
};

/**
 * Returns a frame of a video as JPEG: upright, with square pixels, exactly the requested frame. Throws
 * UnreadableVideoError.
 */
export async function extractStill(
  tools: FfmpegTools,
  file: string,
  { atSeconds, width, isLowPriority, signal }: StillOptions,
): Promise<Buffer> {
  const video = await probeVideo(tools, file, { signal });
  return await extractFrom({ tools, file, video, isLowPriority, signal }, { atSeconds, width });
}

/** As `extractStill`, from a video whose properties are known. */
export async function extractFrom(videoFile: VideoFile, still: StillRequest): Promise<Buffer> {
  const { file, video } = videoFile;
  const { atSeconds } = still;
  const targetSeconds = video.startSeconds + atSeconds;
  const pixels = stillFilters(video, still);
  const seeks = seekTimes(video, atSeconds);

  // In most cases the time is that of a frame, and seeking finds it.
  const direct = await decodeNext(videoFile, still);
  const [found] = direct.times;
  if (found !== undefined && found <= targetSeconds + nearSeconds && direct.output.length > 0)
    return direct.output;

  // Otherwise the frame began earlier, or seeking overshoots: it is searched from an earlier time.
  for (const seek of seeks) {
    const earlier = await decode(
      videoFile,
      seek,
      `trim=end=${filterTime(targetSeconds + nearSeconds)}`,
      "scale=16:16",
      ["-f", "null"],
    );
    const at = earlier.times.at(-1) ?? (seek === 0 ? found : undefined);
    if (at === undefined) continue;
    const { output } = await decode(videoFile, seek, framesFrom(at - nearSeconds / 10), pixels, image);
    if (output.length > 0) return output;
  }
  throw new UnreadableVideoError(file, direct.reason || `it has no frame at ${atSeconds} s`);
}

/**
 * Returns the frame at a time or the next one, with its time: a third of the work of `extractFrom` for a time
 * between two frames. Where none follows, it returns the frame on the screen.
 */
export async function extractNextFrom(
  videoFile: VideoFile,
  still: StillRequest,
): Promise<{ image: Buffer; atSeconds: number }> {
  const { output, times } = await decodeNext(videoFile, still);
  const [found] = times;
  if (found === undefined || output.length === 0)
    return { image: await extractFrom(videoFile, still), atSeconds: still.atSeconds };
  return { image: output, atSeconds: Math.max(0, found - videoFile.video.startSeconds) };
}

/** Decodes the first frame from a time on. */
async function decodeNext(videoFile: VideoFile, still: StillRequest) {
  const { video } = videoFile;
  const [seek = 0] = seekTimes(video, still.atSeconds);
  const choose = framesFrom(video.startSeconds + still.atSeconds - nearSeconds);
  return await decode(videoFile, seek, choose, stillFilters(video, still), image);
}

type StillRequest = { atSeconds: number; width: number };

const image = ["-vframes", "1", "-c:v", "mjpeg", "-q:v", "3", "-f", "image2pipe"];

/** A video, its properties, and the tools that decode it. */
export type VideoFile = {
  tools: FfmpegTools;
  file: string;
  video: VideoInfo;
  isLowPriority?: boolean | undefined;
  signal: AbortSignal | undefined;
};

/** Decodes from the key frame before `seekSeconds` and returns the container times of the selected frames. */
async function decode(
  { tools, file, video, isLowPriority, signal }: VideoFile,
  seekSeconds: number,
  choose: string,
  filters: string,
  output: string[],
) {
  const times: number[] = [];
  const ending = await runTool(
    tools.ffmpegPath,
    [
      ...["-hide_banner", "-nostdin", "-nostats", "-loglevel", "repeat+level+info", "-copyts"],
      // The filter cuts exactly; ffmpeg's own accurate seek differs between versions with -copyts.
      ...(seekSeconds > 0 ? ["-noaccurate_seek", "-ss", seekSeconds.toFixed(6)] : []),
      ...localInput(file, tools.limits),
      ...["-filter_complex", showTimes({ input: video.videoIndex, choose, pixels: filters, output: "kept" })],
      ...["-map", "[kept]", tools.frameTimingOption, "passthrough", ...output, "pipe:1"],
    ],
    {
      signal,
      isLowPriority,
      limits: tools.limits,
      onInfoLine(line) {
        const at = shownTime(line);
        if (at !== undefined) times.push(at);
      },
    },
  );
  return { ...ending, times };
}

function framesFrom(seconds: number): string {
  return `select='gte(t,${seconds})'`;
}

function stillFilters(video: VideoInfo, still: StillRequest): string {
  const { width, height } = stillSize(video, still.width);
  return `scale=${width}:${height}:flags=bicubic,${video.toneMapping}setsar=1,format=yuvj420p`;
}
