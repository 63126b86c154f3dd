import { createRandom } from "@koma/testing/drawing";
import { createDrawText, findScripts } from "../quality/drawing/text.ts";
import type { VideoAccess } from "../quality/images/video-access.ts";
import { decodeRaster } from "../quality/raster/raster.ts";
import type { System } from "../quality/systems/system.ts";
import type { FramesOfVideo } from "./read-frames.ts";
import { scoreTimes, type TimeResult } from "./score-times.ts";
import { timeEdits } from "./time-edits.ts";

/** The result of one image by the name of the system. */
export type TimeRow = {
  video: string;
  atSeconds: number;
  edit: string;
  results: Record<string, TimeResult>;
};

const widest = 1920;

/** Searches `count` random frames of each video in every edit with all systems. */
export async function* measureTimes(
  access: VideoAccess,
  videos: readonly FramesOfVideo[],
  systems: readonly Pick<System, "name" | "search">[],
  o: { count: number; seed: string },
): AsyncGenerator<TimeRow, void, void> {
  const text = createDrawText(await findScripts());
  for (const video of videos) {
    const random = createRandom(`${o.seed}/times/${video.name}`);
    for (const frame of drawTimes(video, o.count, random.next)) {
      const atSeconds = video.atSeconds[frame] ?? 0;
      const raster = await decodeRaster(await access.still(video.file, atSeconds, widest));
      for (const { name, edit } of timeEdits) {
        const seed = `${o.seed}/${video.name}/${frame}/${name}`;
        const image = await edit(raster, { random: createRandom(seed), text });
        const row: TimeRow = { video: video.name, atSeconds, edit: name, results: {} };
        for (const system of systems) {
          const { found } = await system.search(image);
          row.results[system.name] = scoreTimes(found, { video, frame }, videos);
        }
        yield row;
      }
    }
  }
}

/** Draws lots for informative frames. */
function drawTimes({ isInformative }: FramesOfVideo, count: number, next: () => number): number[] {
  const frames = isInformative.flatMap((is, frame) => (is ? [frame] : []));
  return Array.from(
    { length: Math.min(count, frames.length) },
    () => frames[Math.floor(next() * frames.length)] ?? 0,
  );
}
