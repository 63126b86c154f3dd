import { fileURLToPath } from "node:url";

const spiral = "mandelbrot=r=12";
const card = "testsrc2=r=12";
const negative = "start_x=-0.1:start_y=-0.9";

/**
 * Small videos of the tests, drawn by ffmpeg: their scenes of equal length, and the seconds of the frames that exist
 * as JPEG. `npm run render -w @koma/sample-library` draws them, `npm run samples` describes them.
 */
export const testVideos = {
  "spiral and card": drawing([`${spiral}:s=320x240`, `${card}:s=320x240`], 4, {
    hasSound: true,
    frames: [2, 6],
  }),
  "negative and colors": drawing(
    [`${spiral}:s=320x240:${negative},negate,hue=h=80`, "rgbtestsrc=r=12:s=320x240"],
    4,
    { hasSound: true, frames: [2] },
  ),
  "small bars": drawing(["smptebars=r=12:s=320x180"], 2),
  "small card": drawing([`${card}:s=320x180`], 4, { frames: [2] }),
  "small spiral": drawing([`${spiral}:s=320x180`], 4, { frames: [3] }),
  "small colors": drawing(["rgbtestsrc=r=12:s=320x180"], 1),
} as const;

export type TestVideoName = keyof typeof testVideos;

/** The folder of the videos, their frames and their pack. */
export const testVideosFolder = fileURLToPath(new URL("../../test-videos/", import.meta.url));

/** The path of a video. */
export function findTestVideo(name: TestVideoName): string {
  return `${testVideosFolder}${name}.mp4`;
}

/** The path of a frame of a video. */
export function findTestFrame(name: TestVideoName, atSeconds: number): string {
  return `${testVideosFolder}${name} ${atSeconds}.jpg`;
}

/** The pack that describes the videos, without previews. */
export const testPack = `${testVideosFolder}test-videos.koma`;

function drawing(
  scenes: readonly string[],
  sceneSeconds: number,
  { hasSound = false, frames = [] }: { hasSound?: boolean; frames?: readonly number[] } = {},
) {
  return { scenes, sceneSeconds, hasSound, frames };
}
