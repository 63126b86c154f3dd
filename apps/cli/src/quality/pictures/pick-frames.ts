import type { Random } from "../random.ts";
import { resize } from "../raster/geometry.ts";
import { decodeRaster } from "../raster/raster.ts";
import { describeColourLayout, layoutDistance, layoutLength } from "../systems/colour-layout.ts";
import { cutBlackBorders } from "../systems/cut-black-borders.ts";
import type { FilmAccess } from "./film-access.ts";
import { type SurveyedFilm, surveySize } from "./survey-film.ts";

/** A frame of a film at its own size, with its true time. */
export type PickedFrame = { film: SurveyedFilm; atSeconds: number; still: Buffer };

const widest = 1920;
// A still is a JPEG of the very frame; its layout moves by a few steps of quantisation, other shots by hundreds.
const mostLayoutDistance = 24;

/**
 * `count` frames in turn from films, telling ones by chance. Films without such frames are left out; each still is
 * checked against the survey, so that its time is true.
 */
export async function pickFrames(
  access: FilmAccess,
  films: readonly SurveyedFilm[],
  count: number,
  random: Random,
  onPick: (done: number) => void,
): Promise<PickedFrame[]> {
  const picked: PickedFrame[] = [];
  const decks = random.shuffle(films).map((film) => ({ film, frames: tellingFrames(film, random) }));
  while (picked.length < count && decks.some((deck) => deck.frames.length > 0)) {
    for (const { film, frames } of decks) {
      if (picked.length === count) break;
      const frame = await nextStill(access, film, frames);
      if (frame === undefined) continue;
      picked.push(frame);
      onPick(picked.length);
    }
  }
  return picked;
}

async function nextStill(
  access: FilmAccess,
  film: SurveyedFilm,
  frames: number[],
): Promise<PickedFrame | undefined> {
  for (let index = frames.pop(); index !== undefined; index = frames.pop()) {
    const atSeconds = film.atSeconds[index] ?? 0;
    const still = await access.still(film.file, atSeconds, widest);
    const small = await resize(await decodeRaster(still), surveySize.width, surveySize.height, "cubic");
    const expected = film.layouts.subarray(index * layoutLength, (index + 1) * layoutLength);
    if (layoutDistance(describeColourLayout(cutBlackBorders(small)), expected) <= mostLayoutDistance)
      return { film, atSeconds, still };
  }
  return undefined;
}

/** Numbers of telling frames in an order of chance, none within a second of one before it. */
function tellingFrames(film: SurveyedFilm, random: Random): number[] {
  const candidates = film.isTelling.flatMap((isTelling, index) => (isTelling ? [index] : []));
  const taken = new Set<number>();
  return random.shuffle(candidates).filter((index) => {
    const second = Math.floor(film.atSeconds[index] ?? 0);
    if (taken.has(second)) return false;
    taken.add(second);
    return true;
  });
}
