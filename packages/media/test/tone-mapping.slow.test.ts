import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { cutClip, extractStill, openFrameStream } from "@koma/media";
import { beforeAll, expect, it } from "vitest";
import {
  collect,
  difference,
  ffmpeg,
  h264,
  movingImage,
  rgbFrames,
  temporaryFolder,
  tools,
} from "./videos.ts";

const folder = temporaryFolder();
const size = { width: 160, height: 90 };
let expected: Uint8Array;

// The same image with high dynamic range, as a film with few bright parts: white at 203 cd/m2.
const toHighRange = (transfer: string) => [
  ...["-vf", `zscale=t=${transfer}:p=bt2020:m=bt2020nc:npl=203,format=yuv420p10le`, "-c:v", "libx264"],
  ...["-color_primaries", "bt2020", "-color_trc", transfer, "-colorspace", "bt2020nc"],
];

beforeAll(async () => {
  const standard = "setparams=color_primaries=bt709:color_trc=bt709:colorspace=bt709";
  await ffmpeg(...movingImage(2), "-vf", standard, ...h264, folder.path("usual.mkv"));
  for (const transfer of ["smpte2084", "arib-std-b67"])
    await ffmpeg("-i", folder.path("usual.mkv"), ...toHighRange(transfer), folder.path(`${transfer}.mkv`));
  const [first] = await rgbFrames(folder.path("usual.mkv"), size.width, size.height);
  expected = first ?? new Uint8Array();
});

it("frames with the other transfer are as bright as usual (needs an ffmpeg with zscale)", async () => {
  expect(await measureFrames(folder.path("arib-std-b67.mkv"))).toBeLessThan(32);
});

it("stills, clips and frames are as bright as usual (needs an ffmpeg with zscale)", async () => {
  const file = folder.path("smpte2084.mkv");
  const [untouched = new Uint8Array()] = await rgbFrames(file, size.width, size.height);
  // Without tone mapping the image is grey: 71 levels apart.
  expect(difference(untouched, expected)).toBeGreaterThan(50);
  expect(await measureFrames(file)).toBeLessThan(32);
  await writeFile(folder.path("still.jpg"), await extractStill(tools, file, { atSeconds: 0, width: 160 }));
  const clip = folder.path("clip.mp4");
  await cutClip(tools, file, { fromSeconds: 0, toSeconds: 1, height: 90, isMuted: true, outputFile: clip });
  for (const name of ["still.jpg", "clip.mp4"]) {
    const [pixels = new Uint8Array()] = await rgbFrames(folder.path(name), size.width, size.height);
    expect(difference(pixels, expected)).toBeLessThan(32);
  }
  const { stdout } = await promisify(execFile)(tools.ffprobePath, [
    ...["-v", "error", "-show_entries", "stream=color_transfer", "-of", "csv=p=0", clip],
  ]);
  expect(stdout.trim()).toBe("bt709");
});

async function measureFrames(file: string): Promise<number> {
  const [frame] = await collect(openFrameStream(tools, file, { ...size, minGapSeconds: 0 }));
  return difference(frame?.pixels ?? new Uint8Array(), expected);
}
