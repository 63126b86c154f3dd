import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SearchLine } from "@koma/cli/search/search-line";
import { sharp } from "@koma/image";
import { createRandom } from "@koma/testing/drawing";
import { runKoma } from "./run-koma.ts";
import { type BenchVideo, ffmpegTools, findVideos, runTool } from "./videos.ts";

const imageWidth = 480;
const jpegQuality = 70;
// Standard deviation of the brightest channel's levels (0..255) below which a frame counts as flat or black.
const flatBelow = 12;
const toleranceSeconds = 1;

type Sample = { video: BenchVideo; atSeconds: number; image: string };
type Row = { file: string; frames: number; right: number; medianSimilarity: number };

/**
 * Takes frames at seeded random times, searches them, and counts the first matches that contain the true
 * time.
 */
export async function measureAccuracy(
  folder: string,
  o: { dataDir: string; folder: string; frames: number; seed: number },
): Promise<{ rows: Row[]; misses: string[]; images: string[] }> {
  const videos = await findVideos(folder);
  const samples = await takeSamples(videos, o);
  const images = samples.map((sample) => sample.image);
  const { stdout } = await runKoma(["search", "--json", ...images], { dataDir: o.dataDir });
  const lines: SearchLine[] = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const evaluated = samples.map((sample, index) => evaluate(sample, lines[index]));
  const rows = videos.map((video) => {
    const ofVideo = evaluated.filter(({ sample }) => sample.video === video);
    const similarities = ofVideo.map(({ similarity }) => similarity).sort((a, b) => a - b);
    return {
      file: video.file,
      frames: ofVideo.length,
      right: ofVideo.filter(({ isRight }) => isRight).length,
      medianSimilarity: similarities[Math.floor(similarities.length / 2)] ?? Number.NaN,
    };
  });
  const misses = evaluated.flatMap(({ isRight, sample, found }) =>
    isRight ? [] : [`${sample.video.file} at ${sample.atSeconds.toFixed(2)} s: ${found}`],
  );
  return { rows, misses, images };
}

function evaluate(sample: Sample, line: SearchLine | undefined) {
  const best = line !== undefined && "matches" in line ? line.matches[0] : undefined;
  const isRight =
    best !== undefined &&
    best.file === sample.video.file &&
    best.from - toleranceSeconds <= sample.atSeconds &&
    sample.atSeconds <= best.to + toleranceSeconds;
  const found = best === undefined ? "nothing" : `${best.file} ${best.from}–${best.to} s, ${best.similarity}`;
  return { sample, isRight, similarity: best?.similarity ?? 0, found };
}

async function takeSamples(
  videos: readonly BenchVideo[],
  o: { folder: string; frames: number; seed: number },
): Promise<Sample[]> {
  const imageFolder = join(o.folder, "pictures");
  await mkdir(imageFolder, { recursive: true });
  const { ffmpegPath } = await ffmpegTools();
  const random = createRandom(o.seed).next;
  const total = videos.reduce((sum, video) => sum + video.durationSeconds, 0);
  const samples: Sample[] = [];
  for (let attempt = 0; samples.length < o.frames && attempt < o.frames * 20; attempt++) {
    const { video, atSeconds } = locate(videos, random() * total);
    const png = await runTool(ffmpegPath, [
      ...["-v", "error", "-nostdin", "-ss", atSeconds.toFixed(3), "-i", video.path],
      ...["-an", "-sn", "-frames:v", "1", "-c:v", "png", "-f", "image2pipe", "-"],
    ]);
    if (png.length === 0 || (await isFlat(png))) continue;
    const image = join(imageFolder, `${String(samples.length).padStart(4, "0")}.jpg`);
    await writeFile(image, await sharp(png).resize(imageWidth).jpeg({ quality: jpegQuality }).toBuffer());
    samples.push({ video, atSeconds, image });
  }
  return samples;
}

function locate(videos: readonly BenchVideo[], seconds: number): { video: BenchVideo; atSeconds: number } {
  let rest = seconds;
  for (const video of videos) {
    if (rest < video.durationSeconds) return { video, atSeconds: rest };
    rest -= video.durationSeconds;
  }
  throw new Error("The time is after the end of the last video.");
}

async function isFlat(image: Buffer): Promise<boolean> {
  const { channels } = await sharp(image).stats();
  return Math.max(...channels.map((channel) => channel.stdev)) < flatBelow;
}
