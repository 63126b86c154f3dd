import { describeColourLayout, layoutLength } from "../systems/colour-layout.ts";
import { cutBlackBorders } from "../systems/cut-black-borders.ts";
import type { FilmAccess } from "./film-access.ts";
import { isTellingPicture } from "./is-telling-picture.ts";

/** The size at which the incumbent describes frames. */
export const surveySize = { width: 320, height: 180 } as const;

/** A film with the true time of every frame, what its frames look like from afar, and which are worth asking for. */
export type SurveyedFilm = {
  file: string;
  /** Path within the folder of the films. */
  name: string;
  /** Films of one work (a series, a film in parts) have the same. */
  work: string;
  atSeconds: number[];
  /** `layoutLength` values a frame, of what black borders leave of it. */
  layouts: Uint8Array;
  /** False for black, flat and text-only frames. */
  isTelling: boolean[];
};

/** Reads a film once from end to end. `onFrame` hears the time reached. */
export async function surveyFilm(
  access: FilmAccess,
  film: { file: string; name: string; work: string },
  onFrame: (atSeconds: number) => void,
): Promise<SurveyedFilm> {
  const atSeconds: number[] = [];
  const isTelling: boolean[] = [];
  let layouts = new Uint8Array(layoutLength * 4096);
  for await (const frame of access.frames(film.file, surveySize)) {
    const raster = { ...surveySize, pixels: frame.pixels };
    const end = (atSeconds.length + 1) * layoutLength;
    if (end > layouts.length) {
      const larger = new Uint8Array(layouts.length * 2);
      larger.set(layouts);
      layouts = larger;
    }
    layouts.set(describeColourLayout(cutBlackBorders(raster)), end - layoutLength);
    atSeconds.push(frame.atSeconds);
    isTelling.push(isTellingPicture(raster));
    onFrame(frame.atSeconds);
  }
  return { ...film, atSeconds, layouts: layouts.subarray(0, atSeconds.length * layoutLength), isTelling };
}
