import { crc32 } from "node:zlib";
import {
  type Borders,
  type BrightestImage,
  countBlackLines,
  isNegligible,
  noBorders,
  toBorders,
} from "./borders.ts";
import type { FfmpegTools } from "./ffmpeg-tools.ts";
import { localInput } from "./local-input.ts";
import { probeVideo, type VideoInfo } from "./probe-video.ts";
import { runTool } from "./start-tool.ts";

const samplesAtOnce = 4;
// At most 24 samples: one per minute of an episode, so that a wider opening is included.
const batchCounts = { least: 3, most: 6 };
const sampleGapSeconds = 40;
// Short videos have few key frames; fewer than these may be one dark scene.
const leastImages = 4;
const size = { width: 480, height: 270 };
const limitMs = 30_000;

/**
 * Finds the black bars of the whole length of a video from sample frames: the lines that are black in all of
 * them, up to a straight edge. The first four samples (0.1 to 0.2 s) are enough for most videos without bars;
 * one with bars needs 12 to 24 samples. Returns no borders for very short or still videos, and where seeking
 * fails; it does not check the integrity of the video. `video`: what `probeVideo` returned, to save a start of
 * ffprobe. Throws UnreadableVideoError for a file without a video, and the signal's reason.
 */
export async function findBorders(
  tools: FfmpegTools,
  file: string,
  options: { video?: VideoInfo | undefined; signal?: AbortSignal | undefined } = {},
): Promise<Borders> {
  const { signal, video = await probeVideo(tools, file, { signal }) } = options;
  // Each frame of a GIF paints over the one before: seeking shows parts.
  if (video.durationSeconds <= 0 || video.videoCodec === "gif") return noBorders;
  const brightest = { ...size, values: new Uint8Array(size.width * size.height) };
  const images = new Set<number>();
  const batches = batchCountOf(video.durationSeconds);
  const timeout = AbortSignal.timeout(limitMs);
  const until = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
  try {
    for (let batch = 0; batch < batches; batch++) {
      for (const pixels of await takeSamples(tools, file, video, { batch, batches, signal: until })) {
        images.add(crc32(pixels));
        lighten(brightest, pixels);
      }
      const black = countBlackLines(brightest);
      if (black !== undefined && isNegligible(black, brightest)) return noBorders;
    }
  } catch (error) {
    signal?.throwIfAborted();
    if (timeout.aborted) return noBorders;
    throw error;
  }
  const black = countBlackLines(brightest);
  return black === undefined || images.size < leastImages
    ? noBorders
    : toBorders(black, brightest, images.size);
}

/**
 * Reads the key frames before times that are spread over the video; each batch is between the others. Packed
 * RGB.
 */
async function takeSamples(
  tools: FfmpegTools,
  file: string,
  { durationSeconds, videoIndex }: VideoInfo,
  { batch, batches, signal }: { batch: number; batches: number; signal: AbortSignal },
): Promise<Buffer[]> {
  const gapSeconds = durationSeconds / (batches * samplesAtOnce);
  const times = Array.from({ length: samplesAtOnce }, (_, i) => (i * batches + batch + 0.5) * gapSeconds);
  // One process reads all of them: its start takes longer than a sample.
  const inputs = times.flatMap((at) => [
    ...["-noaccurate_seek", "-threads", "1", "-ss", at.toFixed(3)],
    ...localInput(file),
  ]);
  const scaled = `trim=end_frame=1,setpts=0,scale=${size.width}:${size.height}:flags=area,setsar=1,format=rgb24`;
  const graph = [
    ...times.map((_, i) => `[${i}:${videoIndex}]${scaled}[s${i}]`),
    `${times.map((_, i) => `[s${i}]`).join("")}concat=n=${times.length}[out]`,
  ];
  const { output } = await runTool(
    tools.ffmpegPath,
    [
      ...["-hide_banner", "-nostdin", "-nostats", "-loglevel", "repeat+level+error"],
      ...inputs,
      ...["-filter_complex", graph.join(";"), "-map", "[out]", tools.frameTimingOption, "passthrough"],
      ...["-f", "rawvideo", "pipe:1"],
    ],
    { signal },
  );
  const bytes = size.width * size.height * 3;
  return Array.from({ length: Math.floor(output.length / bytes) }, (_, i) =>
    output.subarray(i * bytes, (i + 1) * bytes),
  );
}

function batchCountOf(durationSeconds: number): number {
  const batchCount = Math.ceil(durationSeconds / sampleGapSeconds / samplesAtOnce);
  return Math.min(batchCounts.most, Math.max(batchCounts.least, batchCount));
}

function lighten({ values }: BrightestImage, pixels: Uint8Array): void {
  for (let i = 0, at = 0; i < values.length; i++, at += 3) {
    const value = Math.max(pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0);
    if (value > (values[i] ?? 0)) values[i] = value;
  }
}
