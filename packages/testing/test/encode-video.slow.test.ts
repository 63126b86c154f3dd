import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encodeVideo } from "../src/drawing/index.ts";

const hasFfmpeg = spawnSync("ffmpeg", ["-version"]).status === 0;
const tools = { ffmpegPath: "ffmpeg" };
const framesPerSecond = 12;

describe.skipIf(!hasFfmpeg)("encodeVideo", () => {
  const size = { width: 64, height: 48 };
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "koma-encode-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("writes the same bytes for the same frames", async () => {
    const encode = async (name: string) => {
      await encodeVideo(tools, {
        ...size,
        framesPerSecond,
        frames: plainFrames(24),
        outputFile: join(folder, name),
      });
      return readFile(join(folder, name));
    };
    const first = await encode("one.mp4");
    expect(first).toEqual(await encode("two.mp4"));
    const count = [
      "-v",
      "error",
      "-count_packets",
      "-show_entries",
      "stream=nb_read_packets",
      "-of",
      "csv=p=0",
    ];
    expect(spawnSync("ffprobe", [...count, join(folder, "one.mp4")]).stdout.toString()).toBe("24\n");
  });

  it("leaves no file when the frames fail or have the wrong size", async () => {
    const outputFile = join(folder, "never.mp4");
    const encode = (frames: AsyncIterable<Uint8Array>, width = size.width) =>
      encodeVideo(tools, { width, height: size.height, framesPerSecond, frames, outputFile });
    await expect(encode(failingFrames())).rejects.toThrow("no paint");
    await expect(encode(plainFrames(24), 32)).rejects.toThrow(RangeError);
    await expect(encode(oddFrames(), 63)).rejects.toThrow(/could not be encoded: .*not divisible by 2/s);
    expect((await readdir(folder)).filter((name) => name.includes("never"))).toEqual([]);
  });

  async function* plainFrames(count: number) {
    for (let i = 0; i < count; i++) yield new Uint8Array(size.width * size.height * 3).fill(i * 10);
  }

  async function* failingFrames() {
    yield* plainFrames(4);
    throw new Error("no paint");
  }

  async function* oddFrames() {
    for (let i = 0; i < 30; i++) yield new Uint8Array(63 * size.height * 3);
  }
});
