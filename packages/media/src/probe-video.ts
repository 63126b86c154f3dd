import type { FfmpegTools } from "./ffmpeg-tools.ts";
import { checkIsFile, localInput } from "./local-input.ts";
import { runTool } from "./start-tool.ts";
import { chooseToneMapping } from "./tone-mapping.ts";
import { UnreadableVideoError } from "./unreadable-video-error.ts";

/** The properties of a video. Sizes are those on the screen (rotation and pixel aspect ratio applied). */
export type VideoInfo = {
  /** As the container states it and players show it; 0 when unknown. */
  durationSeconds: number;
  width: number;
  height: number;
  videoCodec: string;
  hasAudio: boolean;
  /** The mean rate; null when unknown. */
  framesPerSecond: number | null;
  videoIndex: number;
  audioIndex: number | undefined;
  /** The first timestamp of the container, which players and `ffmpeg -ss` use as zero. */
  startSeconds: number;
  /** The expected end of the frames, from `startSeconds`; undefined when the file does not state it. */
  videoEndSeconds: number | undefined;
  /** Filters that map high dynamic range to that of other videos, with a comma at the end; mostly empty. */
  toneMapping: string;
};

/** The properties of the last videos: the still and the clip of a match are of the same one. */
const known = new Map<string, VideoInfo>();
const MOST_KNOWN = 64;

/**
 * Reads the properties of a video: of the first video stream that is not cover art, and the default (or first)
 * audio stream. Those of a file that did not change are read once. Throws UnreadableVideoError for a file without a
 * video.
 */
export async function probeVideo(
  tools: FfmpegTools,
  file: string,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<VideoInfo> {
  const { dev, ino, size, mtimeNs } = await checkIsFile(file);
  const key = [tools.ffprobePath, tools.ffmpegPath, file, dev, ino, size, mtimeNs].join("\0");
  const video = known.get(key) ?? (await readProperties(tools, file, signal));
  // The file of an upload is deleted after its search.
  if (tools.limits !== undefined) return video;
  known.delete(key);
  known.set(key, video);
  const [oldest = key] = known.keys();
  if (known.size > MOST_KNOWN) known.delete(oldest);
  return video;
}

async function readProperties(
  tools: FfmpegTools,
  file: string,
  signal: AbortSignal | undefined,
): Promise<VideoInfo> {
  const args = ["-loglevel", "repeat+level+error", "-of", "json", "-show_format", "-show_streams"];
  const { limits } = tools;
  const { exitCode, reason, output } = await runTool(
    tools.ffprobePath,
    [...args, ...localInput(file, limits)],
    { signal, limits, limitBytes: probeBytes },
  );
  if (exitCode !== 0) throw new UnreadableVideoError(file, plainReason(reason), reason);
  const { streams = [], format = {} } = JSON.parse(output.toString("utf8")) as Probe;
  const video = chooseStream(
    streams.filter(
      (s) => s.codec_type === "video" && s.disposition?.attached_pic !== 1 && (s.width ?? 0) > 0,
    ),
  );
  if (video === undefined) throw new UnreadableVideoError(file, "it has no video");
  const audio = chooseStream(streams.filter((s) => s.codec_type === "audio"));
  const startSeconds = seconds(format.start_time) ?? 0;
  const durationSeconds = seconds(format.duration) ?? streamEnd(video, startSeconds) ?? 0;
  return {
    durationSeconds,
    ...screenSize(video),
    videoCodec: video.codec_name ?? "unknown",
    hasAudio: audio !== undefined,
    framesPerSecond: fraction(video.avg_frame_rate),
    videoIndex: video.index,
    audioIndex: audio?.index,
    startSeconds,
    toneMapping: await chooseToneMapping(tools, video.color_transfer),
    videoEndSeconds:
      countedEnd(video, format) ?? videoEnd(streamEnd(video, startSeconds), seconds(format.duration)),
  };
}

/**
 * Returns the time of the last frame, from `startSeconds`, by reading all packets: recordings of browsers do
 * not state their duration.
 */
export async function measureEnd(
  tools: FfmpegTools,
  file: string,
  { videoIndex, startSeconds }: VideoInfo,
  signal: AbortSignal | undefined,
): Promise<number> {
  const args = [
    "-loglevel",
    "repeat+level+error",
    "-of",
    "csv=print_section=0",
    "-show_entries",
    "packet=pts_time",
  ];
  const { limits } = tools;
  const { exitCode, reason, output } = await runTool(
    tools.ffprobePath,
    [...args, "-select_streams", String(videoIndex), ...localInput(file, limits)],
    { signal, limits, limitBytes: probeBytes },
  );
  if (exitCode !== 0) throw new UnreadableVideoError(file, plainReason(reason), reason);
  const times = output.toString("utf8").split(/[\s,]+/);
  return times.reduce((last, time) => Math.max(last, (seconds(time || undefined) ?? 0) - startSeconds), 0);
}

/** Far more than ffprobe prints about a video. */
const probeBytes = 8 * 1024 * 1024;

/**
 * Returns the start times of decoding that may reach a frame (in seconds), best first: in some containers
 * seeking passes the key frame before it. The last one is always 0.
 */
export function seekTimes(video: VideoInfo, atSeconds: number): number[] {
  // Each frame of a GIF paints over the last one, and the demuxer seeks between them.
  if (video.videoCodec === "gif") return [0];
  return [...new Set([atSeconds, atSeconds - 10, 0].map((at) => Math.max(0, at)))];
}

/** The stream that players choose: the first one that is marked as the default, else the first. */
function chooseStream(streams: readonly Stream[]): Stream | undefined {
  return streams.find((stream) => stream.disposition?.default === 1) ?? streams[0];
}

/** The usual messages of ffprobe in words; others stay as they are. */
function plainReason(reason: string): string {
  if (reason.startsWith("Format not on whitelist")) return "not a video of a supported container";
  if (reason.includes("moov atom not found")) {
    return "it is no video, or its end is missing: copy or download it again";
  }
  const isUnknown = /EBML header parsing failed|Invalid data found/.test(reason);
  return isUnknown ? "it is no video, or its start is damaged" : reason || "not a readable video";
}

type Stream = {
  index: number;
  codec_type?: string;
  codec_name?: string;
  width?: number;
  height?: number;
  sample_aspect_ratio?: string;
  color_transfer?: string;
  avg_frame_rate?: string;
  start_time?: string;
  duration?: string;
  nb_frames?: string;
  tags?: Record<string, string>;
  disposition?: Record<string, number>;
  side_data_list?: { rotation?: number }[];
};
type Format = { format_name?: string; start_time?: string; duration?: string };
type Probe = { streams?: Stream[]; format?: Format };

// For AVI, ffprobe reduces the duration to that of a truncated file; the header's frame count is unchanged.
function countedEnd(stream: Stream, format: Format): number | undefined {
  const frames = seconds(stream.nb_frames);
  const rate = fraction(stream.avg_frame_rate);
  return format.format_name === "avi" && frames !== undefined && rate !== null ? frames / rate : undefined;
}

// Each of the two can be too long: a subtitle exceeds the frames, a remux keeps an old tag.
function videoEnd(ofStream: number | undefined, ofContainer: number | undefined): number | undefined {
  const ends = [ofStream, ofContainer].filter((end) => end !== undefined);
  return ends.length === 0 ? undefined : Math.min(...ends);
}

function streamEnd(stream: Stream, startSeconds: number): number | undefined {
  const duration = seconds(stream.duration);
  if (duration !== undefined) return (seconds(stream.start_time) ?? startSeconds) - startSeconds + duration;
  const tag = /^(\d+):(\d\d):(\d\d(?:\.\d+)?)$/.exec(stream.tags?.DURATION ?? "");
  return tag === null ? undefined : Number(tag[1]) * 3600 + Number(tag[2]) * 60 + Number(tag[3]);
}

function screenSize(stream: Stream): { width: number; height: number } {
  const height = stream.height ?? 0;
  const width = Math.max(1, Math.round((stream.width ?? 0) * (fraction(stream.sample_aspect_ratio) ?? 1)));
  const rotated = stream.side_data_list?.find((s) => s.rotation !== undefined)?.rotation;
  const degrees = Number(rotated ?? stream.tags?.rotate ?? 0);
  return Math.abs(degrees) % 180 === 90 ? { width: height, height: width } : { width, height };
}

function seconds(text: string | undefined): number | undefined {
  const value = Number(text);
  return text === undefined || !Number.isFinite(value) ? undefined : value;
}

function fraction(text: string | undefined): number | null {
  const [above, below] = (text ?? "").split(/[:/]/).map(Number);
  return above && below ? above / below : null;
}
