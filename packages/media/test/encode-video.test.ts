import { readdir, readFile } from "node:fs/promises";
import { encodeVideo, probeVideo } from "@koma/media";
import { describe, expect, it } from "vitest";
import { allTools, difference, frameTimes, rgbFrames, temporaryFolder } from "./videos.ts";

const folder = temporaryFolder();
const size = { width: 64, height: 48 };

describe.each(allTools)("films encoded by ffmpeg $version ($origin)", (tools) => {
  it("show the frames at their times, the same bytes each time", async () => {
    for (const name of ["one.mp4", "two.mp4"]) {
      const frames = plainFrames(24);
      await encodeVideo(tools, { ...size, framesPerSecond: 12, frames, outputFile: folder.path(name) });
    }
    expect(await readFile(folder.path("one.mp4"))).toEqual(await readFile(folder.path("two.mp4")));
    expect(await probeVideo(tools, folder.path("one.mp4"))).toEqual({
      ...size,
      durationSeconds: 2,
      videoCodec: "h264",
      hasAudio: false,
      framesPerSecond: 12,
    });
    const times = await frameTimes(folder.path("one.mp4"));
    for (const [i, at] of times.entries()) expect(at).toBeCloseTo(i / 12, 3);
    const seen = await rgbFrames(folder.path("one.mp4"), size.width, size.height);
    for (const [i, frame] of seen.entries()) expect(difference(frame, plainFrame(i))).toBeLessThan(8);
  });

  it("leave nothing behind when the frames fail, are of another size, or the caller aborts", async () => {
    const outputFile = folder.path("never.mp4");
    const encode = (frames: AsyncIterable<Uint8Array>, signal?: AbortSignal) =>
      encodeVideo(tools, { ...size, framesPerSecond: 12, frames, outputFile, signal });
    const stop = new AbortController();
    await expect(encode(plainFrames(5, () => failWith("no paint")))).rejects.toThrow("no paint");
    await expect(encode(wrongFrames())).rejects.toThrow(RangeError);
    await expect(
      encode(
        plainFrames(9e9, () => stop.abort(new Error("enough"))),
        stop.signal,
      ),
    ).rejects.toThrow("enough");
    await expect(
      encodeVideo(tools, { width: 63, height: 47, framesPerSecond: 12, frames: oddFrames(), outputFile }),
    ).rejects.toThrow(/could not be encoded: .*not divisible by 2/);
    expect((await readdir(folder.path("."))).filter((name) => /never|part$/.test(name))).toEqual([]);
  });

  it("wait for ffmpeg instead of piling frames up", async () => {
    const big = { width: 1280, height: 720 };
    const before = process.memoryUsage().rss;
    let most = 0;
    async function* frames() {
      for (let i = 0; i < 120; i++) {
        most = Math.max(most, process.memoryUsage().rss - before);
        yield new Uint8Array(big.width * big.height * 3).fill(i * 2);
      }
    }
    await encodeVideo(tools, {
      ...big,
      framesPerSecond: 24,
      frames: frames(),
      outputFile: folder.path("big.mp4"),
    });
    // Of 332 MB in all.
    expect(most).toBeLessThan(150e6);
  });
});

function plainFrame(i: number): Uint8Array {
  const frame = new Uint8Array(size.width * size.height * 3);
  for (let p = 0; p < frame.length; p += 3) frame.set([i * 10, 120, 250 - i * 10], p);
  return frame;
}

async function* plainFrames(count: number, afterwards?: () => void) {
  for (let i = 0; i < count; i++) {
    yield plainFrame(i % 24);
    if (i === 3) afterwards?.();
  }
}

async function* wrongFrames() {
  yield new Uint8Array(5);
}

async function* oddFrames() {
  for (let i = 0; i < 30; i++) yield new Uint8Array(63 * 47 * 3);
}

function failWith(message: string): never {
  throw new Error(message);
}
