import type { Raster } from "../raster/raster.ts";
import { describeColourLayout, layoutLength } from "../systems/colour-layout.ts";
import { cutBlackBorders } from "../systems/cut-black-borders.ts";
import { createGrowingRows } from "./growing-rows.ts";
import { isInformativeImage } from "./is-informative-image.ts";
import type { VideoAccess } from "./video-access.ts";

/** The size at which the baseline describes frames. */
export const surveySize = { width: 320, height: 180 } as const;

/** A video with the exact time and layout of every frame, and the frames that are informative. */
export type SurveyedVideo = {
  file: string;
  /** Path within the folder of the videos. */
  name: string;
  /** Equal for videos of one work (a series, or parts of one video). */
  work: string;
  atSeconds: number[];
  /** `layoutLength` values per frame, without black borders. */
  layouts: Uint8Array;
  /** False for black, flat and text-only frames. */
  isInformative: boolean[];
};

/** Reads a video once from start to end. `onFrame` receives each frame. */
export async function surveyVideo(
  access: VideoAccess,
  video: { file: string; name: string; work: string },
  onFrame: (atSeconds: number, raster: Raster) => void,
): Promise<SurveyedVideo> {
  const atSeconds: number[] = [];
  const isInformative: boolean[] = [];
  const layouts = createGrowingRows(layoutLength);
  for await (const frame of access.frames(video.file, surveySize)) {
    const raster = { ...surveySize, pixels: frame.pixels };
    layouts.add(describeColourLayout(cutBlackBorders(raster)));
    atSeconds.push(frame.atSeconds);
    isInformative.push(isInformativeImage(raster));
    onFrame(frame.atSeconds, raster);
  }
  return { ...video, atSeconds, layouts: layouts.rows(), isInformative };
}
