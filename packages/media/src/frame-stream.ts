import { availableParallelism } from "node:os";
import type { Readable } from "node:stream";
import { type Borders, cropFilter, noBorders } from "./borders.ts";
import type { FfmpegTools } from "./ffmpeg-tools.ts";
import { FrameGapError } from "./frame-gap-error.ts";
import { createFrameReader } from "./frame-reader.ts";
import { findHardwareOptions } from "./hardware-options.ts";
import { localInput } from "./local-input.ts";
import { probeVideo, type VideoInfo } from "./probe-video.ts";
import { shownTime, showTimes } from "./show-times.ts";
import { startTool } from "./start-tool.ts";
import { createStillSelection, selectStills, stillSize } from "./still-selection.ts";
import { UnreadableVideoError } from "./unreadable-video-error.ts";

/** One frame of a video. */
export type VideoFrame = {
  /**
   * Presentation time from the start of the container, as in players and `ffmpeg -ss`, to the microsecond.
   */
  atSeconds: number;
  /** Packed RGB, 8 bits each, row by row, `width * height * 3` bytes; owned by the receiver. */
  pixels: Uint8Array;
  /** The frame as a still, on one frame per quarter of a second if `stillWidth` is set. */
  still?: RawStill | undefined;
};

/** A whole frame upright in square pixels: packed RGB, 8 bits each, row by row; owned by the receiver. */
export type RawStill = { width: number; height: number; pixels: Uint8Array };

export type FrameStreamOptions = {
  width: number;
  height: number;
  /**
   * Frames that follow the last delivered one sooner (by more than 1 ms of rounding) are dropped before
   * scaling.
   */
  minGapSeconds: number;
  /**
   * The borders that are removed from each frame before scaling, as `findBorders` returns them; none by
   * default.
   */
  borders?: Borders | undefined;
  /** Delivers stills of at most this width, borders included; none by default. */
  stillWidth?: number | undefined;
  /**
   * "reference": the decoder skips the frames that no other frame depends on, such as most B frames; the
   * stream throws FrameGapError before a frame that follows the last one by more than half a second. Some
   * decoders skip nothing. The default is "all".
   */
  decodedFrames?: "all" | "reference" | undefined;
  /** What `probeVideo` returned, to save a start of ffprobe. */
  video?: VideoInfo | undefined;
  signal?: AbortSignal | undefined;
};

/**
 * Yields the frames of a video in order with their exact times (variable frame rate, any start), upright,
 * stretched to a size by area averaging. At most a few megabytes are read ahead. The child process ends with
 * the generator: at its end, on `return`, on a throw and on abort (which throws the signal's reason). Throws
 * UnreadableVideoError for a file without a video or a frame, for times that decrease by a second, and for an end clearly
 * before the stated one.
 */
export async function* openFrameStream(
  tools: FfmpegTools,
  file: string,
  options: FrameStreamOptions,
): AsyncGenerator<VideoFrame, void, void> {
  const { width, height, stillWidth, decodedFrames = "all", signal } = options;
  const video = options.video ?? (await probeVideo(tools, file, { signal }));
  const still = stillWidth === undefined ? undefined : stillSize(video, stillWidth);
  const decoder = await findHardwareOptions(tools, file, { videoIndex: video.videoIndex, signal });
  const times: number[] = [];
  let isOver = false;
  const args = frameArguments(tools, file, video, { ...options, still, decoder });
  const tool = startTool(tools.ffmpegPath, args, {
    signal,
    hasSecondOutput: still !== undefined,
    onInfoLine(line) {
      const at = shownTime(line);
      if (at === undefined) return;
      times.push(at);
      reader.wake();
    },
  });
  const reader = createFrameReader(tool.stdout, width * height * 3);
  const readStill = createStillReader(tool.secondOutput, still);
  const onStreamEnd = () => {
    isOver = true;
    reader.wake();
  };
  tool.ended.then(onStreamEnd, onStreamEnd);
  let lastAt = Number.NEGATIVE_INFINITY;
  try {
    for (;;) {
      const pixels = await reader.next(() => times.length > 0 || isOver);
      signal?.throwIfAborted();
      const at = times.shift();
      if (pixels === undefined || at === undefined) break;
      const atSeconds = Math.max(0, microseconds(at - video.startSeconds));
      const stillPixels = await readStill(at);
      if (atSeconds <= lastAt) {
        // Parts of a recording that were joined can overlap.
        if (lastAt - atSeconds < longestOverlapSeconds) continue;
        throw new UnreadableVideoError(file, `its times decrease at ${lastAt.toFixed(1)} s`);
      }
      if (decodedFrames === "reference" && atSeconds - lastAt > longestGapSeconds && lastAt >= 0)
        throw new FrameGapError(file, { fromSeconds: lastAt, toSeconds: atSeconds });
      lastAt = atSeconds;
      yield { atSeconds, pixels, still: stillPixels };
    }
    const { exitCode, reason } = await tool.ended;
    signal?.throwIfAborted();
    if (exitCode !== 0) throw new UnreadableVideoError(file, reason || "ffmpeg failed");
    if (lastAt < 0) throw new UnreadableVideoError(file, reason || "it has no frame that can be decoded");
    if (endsEarly(video, lastAt, reason !== ""))
      throw new UnreadableVideoError(
        file,
        `it ends after ${lastAt.toFixed(1)} of ${video.videoEndSeconds?.toFixed(1)} s`,
        reason,
      );
  } finally {
    tool.stop();
    await tool.ended.catch(() => {});
  }
}

/**
 * Returns a function that reads the still of the frame at a time, if it has one. ffmpeg writes both outputs
 * in step, so the still of a frame never waits for a later frame.
 */
function createStillReader(
  stream: Readable | undefined,
  size: { width: number; height: number } | undefined,
): (at: number) => Promise<RawStill | undefined> {
  if (stream === undefined || size === undefined) return async () => undefined;
  const reader = createFrameReader(stream, size.width * size.height * 3);
  const isSelected = createStillSelection();
  return async (at) => {
    const pixels = isSelected(at) ? await reader.next(() => true) : undefined;
    return pixels && { ...size, pixels };
  };
}

function frameArguments(
  tools: FfmpegTools,
  file: string,
  video: VideoInfo,
  options: FrameStreamOptions & {
    still: { width: number; height: number } | undefined;
    decoder: readonly string[];
  },
): string[] {
  const { width, height, minGapSeconds, borders = noBorders, decodedFrames, still } = options;
  // Timestamps of containers are rounded to a millisecond at worst: frames 1/12 s apart may be 83 ms apart.
  const gap = Math.max(0, minGapSeconds - 0.001);
  const isSelected = `not(isnan(t))*(isnan(prev_selected_t)+gte(t-prev_selected_t,${gap})+lt(t,prev_selected_t-1))`;
  const filters = showTimes({
    input: video.videoIndex,
    choose: `select='${isSelected}'`,
    pixels: `${still ? "split[whole]," : ""}${cropFilter(borders)}scale=${width}:${height}:flags=area,${video.toneMapping}format=rgb24`,
    output: "out",
  });
  const stillFilter =
    still &&
    `;[whole]${selectStills},scale=${still.width}:${still.height}:flags=area,${video.toneMapping}format=rgb24[stills]`;
  const toOutput = (name: string, pipe: string) => [
    ...["-map", `[${name}]`, tools.frameTimingOption, "passthrough", "-f", "rawvideo", pipe],
  ];
  return [
    ...["-hide_banner", "-nostdin", "-nostats", "-loglevel", "repeat+level+info"],
    // Times stay those of the file: the start differs between versions when streams are excluded.
    "-copyts",
    // The images are small: threads for each filter cost a fifth of the decoding of a 360p video.
    ...["-filter_complex_threads", "1"],
    ...decoderThreads(video, availableParallelism()),
    ...options.decoder,
    ...(decodedFrames === "reference" ? ["-skip_frame", "noref"] : []),
    ...localInput(file),
    ...["-filter_complex", filters + (stillFilter ?? "")],
    ...toOutput("out", "pipe:1"),
    ...(still === undefined ? [] : toOutput("stills", "pipe:3")),
  ];
}

/**
 * Returns the option for the threads of the decoder. On two processors one thread decodes a small video faster
 * than its frames are described, and several threads need a quarter more processor time for 360 lines. A large
 * video needs them: its frames are described much faster than they are decoded.
 */
export function decoderThreads(size: { width: number; height: number }, processors: number): string[] {
  const isSmall = size.width * size.height <= largestSmallPixels;
  return isSmall && processors <= 2 ? ["-threads", "1"] : [];
}

const largestSmallPixels = 854 * 480;

/** Frames of a stored scene are at most this far apart when frames are skipped. */
const longestGapSeconds = 0.5;

const longestOverlapSeconds = 1;

function microseconds(seconds: number): number {
  return Math.round(seconds * 1e6) / 1e6;
}

// The last frame may last for seconds with a variable frame rate, so an end without errors has a larger
// tolerance.
function endsEarly(video: VideoInfo, lastAt: number, hasErrors: boolean): boolean {
  const end = video.videoEndSeconds;
  if (end === undefined) return false;
  return end - lastAt > (hasErrors ? Math.max(2, end * 0.02) : Math.max(10, end * 0.02));
}
