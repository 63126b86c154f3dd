import type { SurveyedFilm } from "../pictures/survey-film.ts";
import { surveySize } from "../pictures/survey-film.ts";
import { resize } from "../raster/geometry.ts";
import { decodeRaster } from "../raster/raster.ts";
import { describeColourLayout, layoutDistance, layoutLength } from "./colour-layout.ts";
import { cutBlackBorders } from "./cut-black-borders.ts";
import { describeDrawnLayouts } from "./drawn-layouts.ts";
import type { Found, System } from "./system.ts";

const limit = 5;
const candidates = 200;
const joinedWithinSeconds = 1;
// The incumbent shows 100 - distance in percent and calls everything below 90 probably wrong.
const confidentAt = 0.9;

type Place = { file: string; atSeconds: number };

/**
 * The incumbent: the colour layout of every frame, scaled to 320 by 180, compared with all others; black borders of
 * frames and question are cut before. The nearest 200 frames are joined to scenes where they follow each other. Layouts of drawn frames
 * are kept in the folder, if one is given.
 */
export function createColourLayoutSystem(folder?: string): System {
  const parts: { layouts: Uint8Array; placeOf: (frame: number) => Place }[] = [];
  return {
    name: "colour layout",
    async index(films) {
      for (const film of films) parts.push(partOf(film));
    },
    async addDistractors(count, onProgress) {
      const layouts = await describeDrawnLayouts(folder, count, onProgress);
      parts.push({ layouts, placeOf: (frame) => ({ file: "drawn", atSeconds: frame * 10 }) });
    },
    async search(picture) {
      const small = await resize(await decodeRaster(picture), surveySize.width, surveySize.height, "cubic");
      const question = describeColourLayout(cutBlackBorders(small));
      const nearest = createNearest(candidates);
      for (const { layouts, placeOf } of parts) {
        for (let at = 0, frame = 0; at < layouts.length; at += layoutLength, frame++) {
          const distance = layoutDistance(question, layouts, 0, at);
          if (distance < nearest.furthest()) nearest.add(distance, placeOf(frame));
        }
      }
      return joinScenes(nearest.items());
    },
    async close() {
      parts.length = 0;
    },
  };
}

function partOf(film: SurveyedFilm) {
  return {
    layouts: film.layouts,
    placeOf: (frame: number) => ({ file: film.file, atSeconds: film.atSeconds[frame] ?? 0 }),
  };
}

/** Keeps the `size` nearest of all that is added. */
function createNearest(size: number) {
  let kept: { distance: number; place: Place }[] = [];
  let furthest = Number.POSITIVE_INFINITY;
  const trim = () => {
    kept = kept.sort((a, b) => a.distance - b.distance).slice(0, size);
    furthest = kept.length < size ? Number.POSITIVE_INFINITY : (kept[size - 1]?.distance ?? 0);
  };
  return {
    furthest: () => furthest,
    add(distance: number, place: Place): void {
      kept.push({ distance, place });
      if (kept.length >= size * 4) trim();
    },
    items() {
      trim();
      return kept;
    },
  };
}

function joinScenes(nearest: readonly { distance: number; place: Place }[]): Found[] {
  const scenes: Found[] = [];
  const used = new Set<Place>();
  for (const { distance, place } of nearest) {
    if (scenes.length === limit) break;
    if (used.has(place)) continue;
    const { file, atSeconds } = place;
    let [from, to] = [atSeconds, atSeconds];
    const others = nearest
      .map((item) => item.place)
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
      at: atSeconds,
      from,
      to,
      similarity,
      isConfident: similarity >= confidentAt,
      grounds: null,
    });
  }
  return scenes;
}
