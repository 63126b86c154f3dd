import type { FfmpegTools } from "./find-ffmpeg.ts";
import { localInput } from "./local-input.ts";
import { inspectVideo, type VideoDetails } from "./probe-video.ts";
import { nearSeconds, shownTime, showTimes } from "./show-times.ts";
import { runTool } from "./start-tool.ts";
import { UnreadableVideoError } from "./unreadable-video-error.ts";

export type StillOptions = {
  /** From the container's start; the frame that is on the screen then, the first or last one beyond the ends. */
  atSeconds: number;
  /** Pixels; a narrower film keeps its own width. */
  width: number;
  signal?: AbortSignal | undefined;
};

/** A film's frame as JPEG: upright, square pixels, exactly the frame asked for. Throws UnreadableVideoError. */
export async function extractStill(
  tools: FfmpegTools,
  file: string,
  { atSeconds, width, signal }: StillOptions,
): Promise<Buffer> {
  const video = await inspectVideo(tools, file, signal);
  const film: Film = { tools, file, video, signal };
  const wanted = video.startSeconds + atSeconds;
  const pixels = `${stillScale(video, width)},format=yuvj420p`;
  const picture = ["-c:v", "mjpeg", "-q:v", "3", "-f", "image2pipe"];

  // Mostly the time is that of a frame, and seeking finds it.
  const direct = await decode(film, wanted, `gte(t,${wanted - nearSeconds})`, pixels, [
    "-vframes",
    "1",
    ...picture,
  ]);
  const [found] = direct.times;
  if (found !== undefined && found <= wanted + nearSeconds && direct.output.length > 0) return direct.output;

  // Else the frame began earlier, or the container's seeking overshoots: look for its time from further back.
  for (const back of [10, Number.POSITIVE_INFINITY]) {
    const seekTo = wanted - back;
    const earlier = await decode(film, seekTo, `lte(t,${wanted + nearSeconds})`, "scale=16:16", [
      "-f",
      "null",
    ]);
    const at = earlier.times.at(-1) ?? (back === Number.POSITIVE_INFINITY ? found : undefined);
    if (at === undefined) continue;
    const isIt = `gte(t,${at - nearSeconds / 10})`;
    const { output } = await decode(film, seekTo, isIt, pixels, ["-vframes", "1", ...picture]);
    if (output.length > 0) return output;
  }
  throw new UnreadableVideoError(file, direct.reason || `it has no frame at ${atSeconds} s`);
}

type Film = { tools: FfmpegTools; file: string; video: VideoDetails; signal: AbortSignal | undefined };

/** Decodes from the key frame before `fromSeconds` on (file time) and tells the times of the frames kept. */
async function decode(
  { tools, file, video, signal }: Film,
  fromSeconds: number,
  isKept: string,
  filters: string,
  output: string[],
) {
  const times: number[] = [];
  const seek = fromSeconds - video.startSeconds;
  const ending = await runTool(
    tools.ffmpegPath,
    [
      ...["-hide_banner", "-nostdin", "-nostats", "-loglevel", "repeat+level+info", "-copyts"],
      // The filter cuts exactly; ffmpeg's own accurate seek differs between versions under -copyts.
      ...(seek > 0 ? ["-noaccurate_seek", "-ss", seek.toFixed(6)] : []),
      ...localInput(file),
      ...["-filter_complex", `[0:${video.videoIndex}]select='${isKept}',${showTimes("kept", filters)}`],
      ...["-map", "[kept]", tools.frameTimingOption, "passthrough", ...output, "pipe:1"],
    ],
    {
      signal,
      onInfoLine(line) {
        const at = shownTime(line);
        if (at !== undefined) times.push(at);
      },
    },
  );
  return { ...ending, times };
}

function stillScale({ info }: VideoDetails, width: number): string {
  const scaledWidth = Math.min(width, info.width);
  const scaledHeight = Math.max(1, Math.round((info.height * scaledWidth) / info.width));
  return `scale=${scaledWidth}:${scaledHeight}:flags=bicubic,setsar=1`;
}
