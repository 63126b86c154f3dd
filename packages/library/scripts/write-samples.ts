// `npm run samples`: describes the sample clips and the videos of the tests with the ffmpeg of FFMPEG_PATH or PATH and
// writes them as two packs; `npm run samples -- tests` only the second. Run it in the commit that changes the videos,
// the model or the sections of the pack.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdtemp, readFile, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { decodeFrameTable, loadModel, openEngine, type Shot } from "@koma/engine";
import { sharp } from "@koma/image";
import { findFfmpeg, probeVideo } from "@koma/media";
import { clipsFolder, samplePack } from "@koma/sample-library";
import { testPack, testVideosFolder } from "@koma/sample-library/test-videos";
import { parseVideoPath } from "../src/file-name/parse-video-path.ts";
import { describeVideo } from "../src/indexing/describe-video.ts";
import { discoverVideos, type FoundVideo } from "../src/indexing/discover-videos.ts";
import { type PackEpisode, type PackPart, writePack } from "../src/pack/episodes.ts";

/** A stored frame follows the last one of its shot by at least this time. */
const frameGapSeconds = 0.6;
const avifQuality = 45;

const run = promisify(execFile);
const tools = await findFfmpeg({ ffmpegPath: process.env.FFMPEG_PATH });
const model = await loadModel();
const engine = await openEngine({ model, workers: 1 });
const folder = await mkdtemp(join(tmpdir(), "koma-samples-"));
try {
  if (process.argv[2] !== "tests")
    await write({ file: samplePack, videoFolder: clipsFolder, limitBytes: 4_700_000 });
  await write({ file: testPack, videoFolder: testVideosFolder, limitBytes: 700_000 });
} finally {
  await rm(folder, { recursive: true, force: true });
  await engine.close();
}

async function write(o: { file: string; videoFolder: string; limitBytes: number }) {
  const unfinished = `${o.file}.part`;
  try {
    const { videos } = await discoverVideos([o.videoFolder]);
    await pipeline(writePack(model.id, describeAll(videos, o.videoFolder)), createWriteStream(unfinished));
    const { size } = await stat(unfinished);
    if (size > o.limitBytes) throw new Error(`${o.file} has ${size} bytes; ${o.limitBytes} are allowed.`);
    await rename(unfinished, o.file);
    process.stdout.write(`${videos.length} episodes: ${size} bytes\n`);
  } finally {
    await rm(unfinished, { force: true });
  }
}

async function* describeAll(
  videos: readonly FoundVideo[],
  videoFolder: string,
): AsyncGenerator<PackEpisode, void, void> {
  for (const video of videos) {
    const file = relative(videoFolder, video.path);
    const episode = await describe(video, file);
    const { frames, clips, stills, descriptors } = episode;
    const sizes = {
      descriptors: descriptors?.chunks.reduce((sum, chunk) => sum + chunk.length, 0),
      stills: stills?.length,
      frames: frames.reduce((sum, { bytes }) => sum + bytes.length, 0),
      clips: clips.reduce((sum, { bytes }) => sum + bytes.length, 0),
    };
    process.stdout.write(`${file}: ${JSON.stringify(sizes)}\n`);
    yield episode;
  }
}

async function describe(video: FoundVideo, file: string): Promise<PackEpisode> {
  const { signal } = new AbortController();
  const description = await describeVideo(
    { engine, tools },
    { ...video, localPath: video.path },
    {
      fast: false,
      signal,
      onEvent: () => undefined,
    },
  );
  const { durationSeconds, readStills, ...descriptors } = description;
  const { title, season, number, episodeTitle } = parseVideoPath(join("/", file));
  const { shots, atSeconds } = decodeFrameTable(descriptors.frameTable);
  return {
    contentHash: createHash("sha256")
      .update(await readFile(video.path))
      .digest("hex"),
    ...{ title, season, number, episodeTitle, durationSeconds },
    descriptors: { ...descriptors, chunks: [...descriptors.chunks] },
    stills: await readStills(),
    ...(await cutPreviews(video.path, shots, [...atSeconds])),
  };
}

/** Cuts single frames, those in the middle of each shot and described ones, and one clip per shot. */
async function cutPreviews(
  file: string,
  shots: readonly Shot[],
  described: readonly number[],
): Promise<Pick<PackEpisode, "frames" | "clips">> {
  const { width, height, framesPerSecond } = await probeVideo(tools, file);
  if (framesPerSecond === null) throw new Error(`${file} has no frame rate.`);
  const pixels = await readPixels(file);
  const frameBytes = width * height * 3;
  const numberOf = (seconds: number) => Math.round(seconds * framesPerSecond);
  const partOf = (first: number, last: number, bytes: Uint8Array): PackPart => ({
    fromSeconds: first / framesPerSecond,
    toSeconds: (last + 1) / framesPerSecond - 0.001,
    bytes,
  });
  const frames: PackPart[] = [];
  const clips: PackPart[] = [];
  for (const shot of shots) {
    const [first, last] = [numberOf(shot.fromSeconds), numberOf(shot.toSeconds)];
    const inShot = described.map(numberOf).filter((at) => first <= at && at <= last);
    for (const at of spread(Math.floor((first + last) / 2), inShot, frameGapSeconds * framesPerSecond)) {
      const raw = pixels.subarray(at * frameBytes, (at + 1) * frameBytes);
      const image = sharp(raw, { raw: { width, height, channels: 3 } });
      frames.push(partOf(at, at, await image.avif({ quality: avifQuality, effort: 4 }).toBuffer()));
    }
    const raw = pixels.subarray(first * frameBytes, (last + 1) * frameBytes);
    clips.push(partOf(first, last, await encodeClip(raw, { width, height, framesPerSecond })));
  }
  return { frames, clips };
}

/** Returns the middle and those of the others that keep the gap, in order. */
function spread(middle: number, others: readonly number[], gap: number): number[] {
  const chosen = [middle];
  for (const at of others) if (chosen.every((other) => Math.abs(other - at) >= gap)) chosen.push(at);
  return chosen.sort((a, b) => a - b);
}

async function readPixels(file: string): Promise<Buffer> {
  const args = ["-v", "error", "-i", file, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"];
  return (await run(tools.ffmpegPath, args, { encoding: "buffer", maxBuffer: 1e9 })).stdout;
}

/** Encodes frames as a video that browsers and chat programs play, like those of `cutClip`. */
async function encodeClip(
  pixels: Uint8Array,
  { width, height, framesPerSecond }: { width: number; height: number; framesPerSecond: number },
): Promise<Uint8Array> {
  const outputFile = join(folder, "clip.mp4");
  const encoding = run(tools.ffmpegPath, [
    ...["-v", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", `${width}x${height}`],
    ...["-r", String(framesPerSecond), "-i", "pipe:0", "-c:v", "libx264", "-pix_fmt", "yuv420p"],
    ...["-preset", "slow", "-tune", "animation", "-crf", "29", "-bf", "0", "-use_editlist", "0"],
    ...["-threads", "1", "-flags:v", "+bitexact", "-fflags", "+bitexact", "-map_metadata", "-1"],
    ...["-movflags", "+faststart", "-f", "mp4", "-y", outputFile],
  ]);
  encoding.child.stdin?.end(pixels);
  await encoding;
  return await readFile(outputFile);
}
