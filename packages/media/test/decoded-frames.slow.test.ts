import { FrameGapError, openFrameStream } from "@koma/media";
import { beforeAll, describe, expect, it } from "vitest";
import { collect, ffmpeg, h264, movingImage, temporaryFolder, tools } from "./videos.ts";

const folder = temporaryFolder();
const image = { width: 64, height: 36, minGapSeconds: 0 };
// Runs of 15 B frames that no frame depends on: 0.67 s.
const longRuns = ["-x264-params", "bframes=15:b-adapt=0:b-pyramid=none:keyint=48:scenecut=0"];

beforeAll(async () => {
  await ffmpeg(...movingImage(2), ...h264, folder.path("plain.mp4"));
  await ffmpeg(...movingImage(2), ...h264, ...longRuns, folder.path("sparse.mkv"));
});

describe("decoded frames", () => {
  it("yields the reference frames with their times, and throws where they are too far apart", async () => {
    const reference = { ...image, decodedFrames: "reference" } as const;
    const all = await collect(openFrameStream(tools, folder.path("plain.mp4"), image));
    const frames = await collect(openFrameStream(tools, folder.path("plain.mp4"), reference));
    // At most two of three frames are B frames that no frame depends on.
    expect(frames.length).toBeGreaterThanOrEqual(all.length / 3);
    expect(frames.length).toBeLessThan(all.length);
    for (const frame of frames) expect(all).toContainEqual(frame);
    const sparse = openFrameStream(tools, folder.path("sparse.mkv"), reference);
    await expect(collect(sparse)).rejects.toThrow(FrameGapError);
  });

  it.each(["vaapi", "auto", "missing"])("decodes in software without the hardware of %s", async (name) => {
    const file = folder.path("plain.mp4");
    const withHardware = { ...tools, hardwareDecoder: name };
    const [frames, expected] = await Promise.all(
      [withHardware, tools].map((each) => collect(openFrameStream(each, file, image))),
    );
    expect(frames).toEqual(expected);
  });
});
