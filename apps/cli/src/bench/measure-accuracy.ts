import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import type { SearchLine } from "../search/search-line.ts";
import { type BenchFilm, ffmpegTools, findFilms, runTool } from "./films.ts";
import { runKoma } from "./run-koma.ts";

const pictureWidth = 480;
const jpegQuality = 70;
// Standard deviation of the brightest channel's levels (0..255) below which a frame counts as flat or black.
const flatBelow = 12;
const toleranceSeconds = 1;

type Sample = { film: BenchFilm; atSeconds: number; picture: string };
type Row = { file: string; frames: number; right: number; medianSimilarity: number };

/** Takes frames at seeded random times, searches for them, and counts where the first match holds the true place. */
export async function measureAccuracy(
  folder: string,
  o: { dataDir: string; folder: string; frames: number; seed: number },
): Promise<{ rows: Row[]; misses: string[]; pictures: string[] }> {
  const films = await findFilms(folder);
  const samples = await takeSamples(films, o);
  const pictures = samples.map((sample) => sample.picture);
  const { stdout } = await runKoma(["search", "--json", ...pictures], { dataDir: o.dataDir });
  const lines: SearchLine[] = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const judged = samples.map((sample, index) => judge(sample, lines[index]));
  const rows = films.map((film) => {
    const ofFilm = judged.filter(({ sample }) => sample.film === film);
    const similarities = ofFilm.map(({ similarity }) => similarity).sort((a, b) => a - b);
    return {
      file: film.file,
      frames: ofFilm.length,
      right: ofFilm.filter(({ isRight }) => isRight).length,
      medianSimilarity: similarities[Math.floor(similarities.length / 2)] ?? Number.NaN,
    };
  });
  const misses = judged.flatMap(({ isRight, sample, found }) =>
    isRight ? [] : [`${sample.film.file} at ${sample.atSeconds.toFixed(2)} s: ${found}`],
  );
  return { rows, misses, pictures };
}

function judge(sample: Sample, line: SearchLine | undefined) {
  const best = line !== undefined && "matches" in line ? line.matches[0] : undefined;
  const isRight =
    best !== undefined &&
    best.file === sample.film.file &&
    best.from - toleranceSeconds <= sample.atSeconds &&
    sample.atSeconds <= best.to + toleranceSeconds;
  const found = best === undefined ? "nothing" : `${best.file} ${best.from}–${best.to} s, ${best.similarity}`;
  return { sample, isRight, similarity: best?.similarity ?? 0, found };
}

async function takeSamples(
  films: readonly BenchFilm[],
  o: { folder: string; frames: number; seed: number },
): Promise<Sample[]> {
  const pictureFolder = join(o.folder, "pictures");
  await mkdir(pictureFolder, { recursive: true });
  const { ffmpegPath } = await ffmpegTools();
  const random = createRandom(o.seed);
  const total = films.reduce((sum, film) => sum + film.durationSeconds, 0);
  const samples: Sample[] = [];
  for (let attempt = 0; samples.length < o.frames && attempt < o.frames * 20; attempt++) {
    const { film, atSeconds } = place(films, random() * total);
    const png = await runTool(ffmpegPath, [
      ...["-v", "error", "-nostdin", "-ss", atSeconds.toFixed(3), "-i", film.path],
      ...["-an", "-sn", "-frames:v", "1", "-c:v", "png", "-f", "image2pipe", "-"],
    ]);
    if (png.length === 0 || (await isFlat(png))) continue;
    const picture = join(pictureFolder, `${String(samples.length).padStart(4, "0")}.jpg`);
    await writeFile(picture, await sharp(png).resize(pictureWidth).jpeg({ quality: jpegQuality }).toBuffer());
    samples.push({ film, atSeconds, picture });
  }
  return samples;
}

function place(films: readonly BenchFilm[], seconds: number): { film: BenchFilm; atSeconds: number } {
  let rest = seconds;
  for (const film of films) {
    if (rest < film.durationSeconds) return { film, atSeconds: rest };
    rest -= film.durationSeconds;
  }
  throw new Error("The time lies behind the last film.");
}

async function isFlat(picture: Buffer): Promise<boolean> {
  const { channels } = await sharp(picture).stats();
  return Math.max(...channels.map((channel) => channel.stdev)) < flatBelow;
}

/** Mulberry32 by Tommy Ettinger (public domain): numbers in 0..1 that depend on the seed alone. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
