import { mkdir, realpath } from "node:fs/promises";
import { readConfiguration } from "@koma/cli/config";
import { findFfmpeg, probeVideo } from "@koma/media";
import { koma, startApi } from "@koma/testing/start-koma";
import { drawScene } from "../quality/distractors/draw-scene.ts";
import { findVideos } from "../quality/images/find-videos.ts";
import { createVideoAccess } from "../quality/images/video-access.ts";
import { encodeJpeg } from "../quality/raster/raster.ts";
import { progress, runCommand } from "../run-command.ts";
import { type CostCommand, parseCostOptions } from "./cost-options.ts";
import { readProcessorTimes } from "./processor-time.ts";

/** Of five searches before the measurement one is of an image of no video. */
const ABSENT_EVERY = 5;

await runCommand(async (signal) => await main(parseCostOptions(process.argv.slice(2)), signal));

async function main({ videos, images, warm, work }: CostCommand, signal: AbortSignal): Promise<number> {
  await mkdir(work, { recursive: true, mode: 0o700 });
  const folder = await realpath(work);
  await koma(folder, "index", videos);
  const frames = await takeFrames(videos, images, signal);
  const absent = await Promise.all(
    Array.from({ length: images }, (_, at) => encodeJpeg(drawScene(`cost/${at}`, 640, 360), 88)),
  );
  const limits = { KOMA_REQUESTS_PER_MINUTE: "1000000", KOMA_SITE_REQUESTS_PER_MINUTE: "1000000" };
  const api = await startApi(folder, { ...limits, KOMA_SAMPLE_LIBRARY: "false", NODE_ENV: "production" });
  try {
    const bar = progress.open("Searching");
    for (let at = 0; at < warm; at++) {
      await search(api.url, (at % ABSENT_EVERY === 0 ? absent : frames)[at % images], signal);
      bar.update(at + 1, warm);
    }
    bar.end();
    for (const [name, files] of Object.entries({ frames, "images of no video": absent }))
      console.log(await measure(name, files));
  } finally {
    await api.stop();
  }
  return 0;

  async function measure(name: string, files: readonly Buffer[]): Promise<string> {
    const before = await readProcessorTimes(api.pid, folder);
    const durations: number[] = [];
    for (const file of files) {
      const startedMs = performance.now();
      await search(api.url, file, signal);
      durations.push(performance.now() - startedMs);
    }
    const after = await readProcessorTimes(api.pid, folder);
    const spent = [...after].map(
      ([thread, ms]) => [thread, (ms - (before.get(thread) ?? 0)) / files.length] as const,
    );
    const all = spent.reduce((sum, [, ms]) => sum + ms, 0);
    durations.sort((a, b) => a - b);
    const parts = spent.filter(([, ms]) => ms >= 0.1).map(([thread, ms]) => `${thread} ${ms.toFixed(1)}`);
    const median = durations[Math.floor(durations.length / 2)] ?? 0;
    return `${name}: ${all.toFixed(1)} ms of processor time per search, ${median.toFixed(0)} ms (median); ${parts.join(", ")}`;
  }
}

/** Takes frames at equal distances from all videos of a folder. */
async function takeFrames(folder: string, count: number, signal: AbortSignal): Promise<Buffer[]> {
  const { FFMPEG_PATH: ffmpegPath, FFPROBE_PATH: ffprobePath } = readConfiguration();
  const tools = await findFfmpeg({ ffmpegPath, ffprobePath });
  const access = createVideoAccess(tools, signal);
  const files = await findVideos(folder);
  const durations = await Promise.all(
    files.map(async ({ file }) => (await probeVideo(tools, file, { signal })).durationSeconds),
  );
  const frames: Buffer[] = [];
  for (let at = 0; at < count; at++) {
    const video = at % files.length;
    const atSeconds = (((at + 0.5) / count) * 0.96 + 0.02) * (durations[video] ?? 0);
    frames.push(await access.still(files[video]?.file ?? "", atSeconds, 640));
  }
  return frames;
}

async function search(url: string, image: Buffer | undefined, signal: AbortSignal): Promise<void> {
  const body = new FormData();
  body.append("image", new Blob([new Uint8Array(image ?? [])], { type: "image/jpeg" }), "image.jpg");
  const response = await fetch(`${url}/api/anime/search`, { method: "POST", body, signal });
  if (!response.ok) throw new Error(`The API answered ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
}
