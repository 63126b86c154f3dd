import { drawnFrames } from "../distractors/drawn-frames.ts";
import { createGrowingRows } from "../images/growing-rows.ts";
import type { SurveyedVideo } from "../images/survey-video.ts";
import { surveySize } from "../images/survey-video.ts";
import { resize } from "../raster/geometry.ts";
import { decodeRaster } from "../raster/raster.ts";
import { describeColourLayout, layoutDistance, layoutLength } from "./colour-layout.ts";
import { cutBlackBorders } from "./cut-black-borders.ts";
import type { Found, System } from "./system.ts";

const limit = 5;
const candidates = 200;
const joinedWithinSeconds = 1;
// The baseline displays 100 - distance in percent and marks everything below 90 as probably wrong.
const confidentAt = 0.9;

/** The descriptor reads 8 by 8 parts, so that drawn frames may be small. */
const drawnSize = { width: 64, height: 64 } as const;

type FrameLocation = { file: string; atSeconds: number };

/**
 * The baseline: the colour layout of every frame, scaled to 320 by 180, compared with all others; black
 * borders of frames and images are removed before. Consecutive frames among the nearest 200 are joined to
 * scenes.
 */
export function createColourLayoutSystem(): System {
  const parts: { layouts: Uint8Array; locationOf: (frame: number) => FrameLocation }[] = [];
  return {
    name: "colour layout",
    async index(videos) {
      for (const video of videos) parts.push(partOf(video));
    },
    async addDistractors(count, onProgress) {
      const drawn = createGrowingRows(layoutLength);
      let done = 0;
      for await (const pixels of drawnFrames(count, drawnSize)) {
        drawn.add(describeColourLayout({ ...drawnSize, pixels }));
        onProgress(++done, count);
      }
      parts.push({
        layouts: drawn.rows(),
        locationOf: (frame) => ({ file: "drawn", atSeconds: frame * 10 }),
      });
    },
    async search(image) {
      const small = await resize(await decodeRaster(image), surveySize.width, surveySize.height, "cubic");
      const question = describeColourLayout(cutBlackBorders(small));
      const nearest = createNearest(candidates);
      for (const { layouts, locationOf } of parts) {
        for (let at = 0, frame = 0; at < layouts.length; at += layoutLength, frame++) {
          const distance = layoutDistance(question, layouts, 0, at);
          if (distance < nearest.furthest()) nearest.add(distance, locationOf(frame));
        }
      }
      return { found: joinScenes(nearest.items()), outcome: null };
    },
    size() {
      const memoryBytes = parts.reduce((sum, { layouts }) => sum + layouts.length, 0);
      return { frames: memoryBytes / layoutLength, memoryBytes };
    },
    async close() {
      parts.length = 0;
    },
  };
}

function partOf(video: SurveyedVideo) {
  return {
    layouts: video.layouts,
    locationOf: (frame: number) => ({ file: video.file, atSeconds: video.atSeconds[frame] ?? 0 }),
  };
}

/** Collects the `size` nearest of all added items. */
function createNearest(size: number) {
  let saved: { distance: number; location: FrameLocation }[] = [];
  let furthest = Number.POSITIVE_INFINITY;
  const trim = () => {
    saved = saved.sort((a, b) => a.distance - b.distance).slice(0, size);
    furthest = saved.length < size ? Number.POSITIVE_INFINITY : (saved[size - 1]?.distance ?? 0);
  };
  return {
    furthest: () => furthest,
    add(distance: number, location: FrameLocation): void {
      saved.push({ distance, location });
      if (saved.length >= size * 4) trim();
    },
    items() {
      trim();
      return saved;
    },
  };
}

function joinScenes(nearest: readonly { distance: number; location: FrameLocation }[]): Found[] {
  const scenes: Found[] = [];
  const used = new Set<FrameLocation>();
  for (const { distance, location } of nearest) {
    if (scenes.length === limit) break;
    if (used.has(location)) continue;
    const { file, atSeconds } = location;
    let [from, to] = [atSeconds, atSeconds];
    const others = nearest
      .map((item) => item.location)
      .filter((other) => other.file === file)
      .sort((a, b) => Math.abs(a.atSeconds - atSeconds) - Math.abs(b.atSeconds - atSeconds));
    for (const other of others) {
      if (other.atSeconds < from - joinedWithinSeconds || other.atSeconds > to + joinedWithinSeconds)
        continue;
      from = Math.min(from, other.atSeconds);
      to = Math.max(to, other.atSeconds);
      used.add(other);
    }
    const similarity = Math.max(0, 1 - distance / 100);
    scenes.push({
      file,
      timestamp: atSeconds,
      from,
      to,
      similarity,
      score: similarity,
      isConfident: similarity >= confidentAt,
      features: null,
    });
  }
  return scenes;
}
