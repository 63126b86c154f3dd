import type { FfmpegTools } from "./ffmpeg-tools.ts";
import { localInput, localUrl } from "./local-input.ts";
import { probeVideo, seekTimes, type VideoInfo } from "./probe-video.ts";
import { filterTime, nearSeconds, shownTime, showTimes } from "./show-times.ts";
import { runTool } from "./start-tool.ts";
import { UnreadableVideoError } from "./unreadable-video-error.ts";
import { writeOutput } from "./write-output.ts";

export type ClipOptions = {
  /** Times of the first and the last frame, from the start of the container; both are part of the clip. */
  fromSeconds: number;
  toSeconds: number;
  /** In pixels; a lower video keeps its own height (rounded to an even number). */
  height: number;
  isMuted: boolean;
  /** The path of the clip; its folder must exist. */
  outputFile: string;
  signal?: AbortSignal | undefined;
};

/**
 * Cuts the frames between two times out of a video and writes them as MP4 that browsers and chat programs
 * play: H.264, AAC unless muted or silent, square pixels, index in front. The file is renamed when it is
 * complete. Throws UnreadableVideoError, also when no frame is in the range.
 */
export async function cutClip(tools: FfmpegTools, file: string, options: ClipOptions): Promise<void> {
  const { fromSeconds, toSeconds, signal } = options;
  const video = await probeVideo(tools, file, { signal });
  await writeOutput(options.outputFile, async (temporaryFile) => {
    // Seeking overshoots in some containers: it is repeated from an earlier time, finally from the start.
    for (const seekSeconds of seekTimes(video, fromSeconds)) {
      const times: number[] = [];
      const args = clipArguments(tools, file, video, options, seekSeconds);
      const { exitCode, reason } = await runTool(tools.ffmpegPath, [...args, localUrl(temporaryFile)], {
        signal,
        onInfoLine(line) {
          const at = shownTime(line);
          if (at !== undefined) times.push(at - video.startSeconds);
        },
      });
      const [first = Number.POSITIVE_INFINITY] = times;
      const isLast = seekSeconds === 0;
      if (exitCode === 0 && first <= (isLast ? toSeconds : fromSeconds) + nearSeconds) return;
      if (isLast)
        throw new UnreadableVideoError(
          file,
          reason || `it has no frame from ${fromSeconds} to ${toSeconds} s`,
        );
    }
  });
}

function clipArguments(
  tools: FfmpegTools,
  file: string,
  video: VideoInfo,
  { fromSeconds, toSeconds, height, isMuted }: ClipOptions,
  seekSeconds: number,
): string[] {
  const from = video.startSeconds + fromSeconds;
  const to = video.startSeconds + toSeconds;
  const size = clipSize(video, height);
  const pixels = `setpts=PTS-STARTPTS,scale=${size.width}:${size.height}:flags=bicubic,${video.toneMapping}setsar=1,format=yuv420p`;
  const filters = [
    showTimes({
      input: video.videoIndex,
      choose: `trim=start=${filterTime(from - nearSeconds)}:end=${filterTime(to + nearSeconds)}`,
      pixels,
      output: "pictures",
    }),
  ];
  const audioIndex = isMuted ? undefined : video.audioIndex;
  if (audioIndex !== undefined) {
    const end = to + 1 / (video.framesPerSecond ?? 25);
    const start = from + aacDelaySeconds;
    const sound = `asetpts=PTS-(${start})/TB,aresample=48000:async=1:first_pts=0`;
    filters.push(`[0:${audioIndex}]atrim=start=${filterTime(start)}:end=${filterTime(end)},${sound}[sound]`);
  }
  return [
    ...["-hide_banner", "-nostdin", "-nostats", "-loglevel", "repeat+level+info", "-copyts"],
    ...(seekSeconds > 0 ? ["-noaccurate_seek", "-ss", seekSeconds.toFixed(6)] : []),
    ...localInput(file),
    ...["-filter_complex", filters.join(";"), "-map", "[pictures]"],
    ...(video.toneMapping === "" ? [] : standardColours),
    ...["-c:v", "libx264", "-preset", "veryfast", "-crf", "23", tools.frameTimingOption, "passthrough"],
    // An edit list would hide the last frame, whose duration not all builds determine; B frames would need
    // one.
    ...["-bf", "0", "-use_editlist", "0", "-avoid_negative_ts", "disabled"],
    // Without these options the times of a video with a variable frame rate are rounded to its mean rate.
    ...["-enc_time_base", "1/90000", "-video_track_timescale", "90000"],
    ...(audioIndex === undefined ? [] : ["-map", "[sound]", "-c:a", "aac", "-b:a", "128k", "-ac", "2"]),
    ...["-map_metadata", "-1", "-map_chapters", "-1", "-movflags", "+faststart", "-f", "mp4", "-y"],
  ];
}

// The encoder takes the properties of the input where the filters state none.
const standardColours = ["-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709"];

// AAC begins with this much silence, which an edit list would hide; the sound starts later by the same
// amount.
const aacDelaySeconds = 1024 / 48000;

// H.264 with halved chroma needs even sizes.
function clipSize(video: VideoInfo, height: number): { width: number; height: number } {
  const scale = Math.min(1, height / video.height);
  const even = (value: number) => Math.max(2, Math.floor(value / 2) * 2);
  return { width: even(Math.round(video.width * scale)), height: even(Math.round(video.height * scale)) };
}
