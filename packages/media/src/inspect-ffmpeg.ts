import { resolveCommand } from "./config.ts";
import type { FfmpegTools } from "./ffmpeg-tools.ts";
import { runTool } from "./start-tool.ts";

/** The programs of a build of ffmpeg and the parts that it lacks, by their names in ffmpeg. */
export type FfmpegInspection = {
  /** Full paths. */
  ffmpegPath: string;
  ffprobePath: string;
  /** Parts without which nothing can be indexed or no preview can be made. */
  missingParts: string[];
  /** Codecs of videos that cannot be indexed. */
  missingCodecs: string[];
};

/** Lists the parts that Koma uses and this ffmpeg lacks: some distributions omit patented codecs. */
export async function inspectFfmpeg(tools: FfmpegTools): Promise<FfmpegInspection> {
  const ffmpegPath = resolveCommand(tools.ffmpegPath);
  const [decoders, ...lists] = await Promise.all(
    ["decoder", ...Object.keys(requiredParts)].map((kind) => readNames(ffmpegPath, kind)),
  );
  const missingParts = Object.entries(requiredParts).flatMap(([kind, names], index) =>
    names.filter((name) => !lists[index]?.has(name)).map((name) => `${kind} ${name}`),
  );
  const missingCodecs = Object.entries(videoCodecs)
    .filter(([_codec, names]) => !names.some((name) => decoders?.has(name)))
    .map(([codec]) => codec);
  return { ffmpegPath, ffprobePath: resolveCommand(tools.ffprobePath), missingParts, missingCodecs };
}

/** What the commands of cut-clip.ts, extract-still.ts, find-borders.ts and frame-stream.ts use. */
const requiredParts = {
  encoder: ["libx264", "aac", "mjpeg", "rawvideo"],
  muxer: ["mp4", "image2pipe", "rawvideo", "null"],
  demuxer: ["matroska,webm", "mov,mp4,m4a,3gp,3g2,mj2"],
  filter: [
    ...["settb", "select", "trim", "split", "crop", "showinfo", "nullsink", "scale", "format", "setpts"],
    ...["setsar", "atrim", "asetpts", "aresample"],
  ],
} as const;

// ffmpeg's own decoder `av1` needs a graphics processor.
const videoCodecs = {
  h264: ["h264"],
  hevc: ["hevc"],
  av1: ["libdav1d", "libaom-av1"],
  vp9: ["vp9", "libvpx-vp9"],
  vp8: ["vp8", "libvpx"],
  mpeg4: ["mpeg4"],
  mpeg2video: ["mpeg2video"],
};

/** The names in one of ffmpeg's lists, such as those of the filters: the second column. */
export async function readNames(ffmpegPath: string, kind: string): Promise<Set<string>> {
  const { output } = await runTool(ffmpegPath, ["-hide_banner", `-${kind}s`]);
  const lines = output.toString("utf8").split("\n");
  return new Set(lines.map((line) => line.trim().split(/\s+/)[1] ?? ""));
}
