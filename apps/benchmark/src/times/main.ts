import { writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { readConfiguration } from "@koma/cli/config";
import { findFfmpeg } from "@koma/library";
import { workOf } from "../quality/images/find-videos.ts";
import { createVideoAccess } from "../quality/images/video-access.ts";
import { createColourLayoutSystem } from "../quality/systems/colour-layout-system.ts";
import { openKomaSystem } from "../quality/systems/koma-system.ts";
import { describeRun, type TimesResult, timesFile } from "../results/stored-result.ts";
import { formatTimes } from "../results/tables.ts";
import { progress, runCommand } from "../run-command.ts";
import { readCachedFrames } from "./cached-frames.ts";
import { measureTimes, type TimeRow } from "./measure-times.ts";
import type { FramesOfVideo } from "./read-frames.ts";
import { drawEpisode } from "./series/draw-episode.ts";
import { parseTimesOptions, type TimesCommand } from "./times-options.ts";
import { sumUpTimes } from "./times-report.ts";

const series = ["Paper Street", "Harbour Light"];
await runCommand(async (signal) => await main(parseTimesOptions(process.argv.slice(2)), signal));

async function main(command: TimesCommand, signal: AbortSignal): Promise<number> {
  const { FFMPEG_PATH: ffmpegPath, FFPROBE_PATH: ffprobePath } = readConfiguration();
  const tools = await findFfmpeg({ ffmpegPath, ffprobePath });
  const access = createVideoAccess(tools, signal);
  const facts = await describeRun(describeCommand(command));
  if (command.result && facts.commit.endsWith("-dirty"))
    throw new Error("Commit the changes before a stored run.");
  const files = [...(await drawEpisodes(tools, command)), ...command.videos];
  const videos: FramesOfVideo[] = [];
  for (const file of files) {
    const bar = progress.open(`Reading ${basename(file)}`);
    const video = { file, name: basename(file), work: workOf(file) };
    const folder = join(command.work, "frames");
    videos.push(
      await readCachedFrames(access, folder, video, (atSeconds) => bar.update(atSeconds, atSeconds)),
    );
    bar.end();
  }
  const koma = await openKomaSystem({ folder: join(command.work, "koma"), tools, signal });
  try {
    const layouts = createColourLayoutSystem();
    const indexing = progress.open("Indexing");
    await koma.index(videos, indexing.update);
    await layouts.index(videos, () => {});
    indexing.end();
    const rows: TimeRow[] = [];
    const bar = progress.open("Searching");
    const total = videos.length * command.images * 5;
    for await (const row of measureTimes(access, videos, [koma, layouts], {
      count: command.images,
      seed: command.seed,
    })) {
      rows.push(row);
      bar.update(rows.length, total);
    }
    bar.end();
    const shares = sumUpTimes(rows);
    progress.close();
    console.log(formatTimes(shares));
    const result: TimesResult = { ...facts, shares };
    if (command.result) await writeFile(timesFile, `${JSON.stringify(result, null, 2)}\n`);
    return 0;
  } finally {
    await koma.close();
  }
}

async function drawEpisodes(
  tools: { ffmpegPath: string },
  { drawn, seconds, work }: TimesCommand,
): Promise<string[]> {
  const files: string[] = [];
  for (const name of series) {
    for (let number = 1; number <= drawn; number++) {
      const file = join(work, "videos", String(seconds), `${name} - 0${number}.mp4`);
      await drawEpisode(tools, file, { series: name, number, seconds });
      files.push(file);
    }
  }
  return files;
}

/** The command without folders of this machine. */
function describeCommand({ drawn, seconds, images, seed, videos }: TimesCommand): string {
  const names = videos.map((file) => `"${basename(file)}"`).join(" ");
  return [
    `npm run bench:times -- --drawn ${drawn} --seconds ${seconds} --images ${images} --seed ${seed}`,
    ...(videos.length > 0 ? [`--videos ${names}`] : []),
  ].join(" ");
}
