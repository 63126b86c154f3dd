import { describeColourLayout, layoutLength } from "../systems/colour-layout.ts";
import { cutBlackBorders } from "../systems/cut-black-borders.ts";
import { isInformativeImage } from "./is-informative-image.ts";
import type { VideoAccess } from "./video-access.ts";

/** The size at which the incumbent describes frames. */
export const surveySize = { width: 320, height: 180 } as const;

/** A film with the true time of every frame, what its frames look like from afar, and which are worth asking for. */
export type SurveyedVideo = {
  file: string;
  /** Path within the folder of the films. */
  name: string;
  /** Films of one work (a series, a film in parts) have the same. */
  work: string;
  atSeconds: number[];
  /** `layoutLength` values a frame, of what black borders leave of it. */
  layouts: Uint8Array;
  /** False for black, flat and text-only frames. */
  isInformative: boolean[];
};

/** Reads a film once from end to end. `onFrame` hears the time reached. */
export async function surveyVideo(
  access: VideoAccess,
  video: { file: string; name: string; work: string },
  onFrame: (atSeconds: number) => void,
): Promise<SurveyedVideo> {
  const atSeconds: number[] = [];
  const isInformative: boolean[] = [];
  let layouts = new Uint8Array(layoutLength * 4096);
  for await (const frame of access.frames(video.file, surveySize)) {
    const raster = { ...surveySize, pixels: frame.pixels };
    const end = (atSeconds.length + 1) * layoutLength;
    if (end > layouts.length) {
      const larger = new Uint8Array(layouts.length * 2);
      larger.set(layouts);
      layouts = larger;
    }
    layouts.set(describeColourLayout(cutBlackBorders(raster)), end - layoutLength);
    atSeconds.push(frame.atSeconds);
    isInformative.push(isInformativeImage(raster));
    onFrame(frame.atSeconds);
  }
  return {
    ...video,
    atSeconds,
    layouts: layouts.subarray(0, atSeconds.length * layoutLength),
    isInformative,
  };
}
