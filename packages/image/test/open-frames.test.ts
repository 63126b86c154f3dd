import { describe, expect, it } from "vitest";
import { inspectImage, openFrames, type Sharp, sharp } from "../src/index.ts";
import { fadingAvif } from "./shared/fading-avif.ts";
import { writeApng } from "./shared/write-apng.ts";
import { writeAvifSequence } from "./shared/write-avif-sequence.ts";

const draw = (background: string, width = 64, height = 32): Sharp =>
  sharp({ create: { width, height, channels: 4, background } });

/** The means of red, green and blue of some frames, on white. */
async function measureFrames(file: Uint8Array, frames: readonly number[]): Promise<number[][]> {
  const measured: number[][] = [];
  for await (const frame of openFrames(file, frames, { failOn: "warning" })) {
    const { channels } = await sharp(await frame.flatten({ background: "#fff" }).png().toBuffer()).stats();
    measured.push(channels.slice(0, 3).map(({ mean }) => Math.round(mean)));
  }
  return measured;
}

describe("an animated PNG", () => {
  it("has the delays and the size of its canvas", async () => {
    const frames = [
      { image: draw("#000"), delayMs: 300 },
      { image: draw("#f00", 8, 8), left: 4 },
    ];
    expect(await inspectImage(await writeApng(frames))).toEqual({
      width: 64,
      height: 32,
      decoderBytes: 64 * 32 * 12,
      scans: 1,
      frameDelaysMs: [300, 100],
    });
  });

  it("has the frames that are drawn in order", async () => {
    const file = await writeApng([
      { image: draw("#000") },
      { image: draw("#f00", 32, 32), left: 32 },
      { image: draw("#0f0") },
    ]);
    const [black, half, green] = await measureFrames(file, [0, 1, 2]);
    expect([black, half, green]).toEqual([
      [0, 0, 0],
      [128, 0, 0],
      [0, 255, 0],
    ]);
    expect(await measureFrames(file, [2])).toEqual([green]);
  });

  it("removes a frame from the canvas, or restores the canvas before it", async () => {
    const write = (dispose: 0 | 1 | 2) =>
      writeApng([
        { image: draw("#00f") },
        { image: draw("#f00"), dispose },
        { image: draw("#0f0", 32, 32), left: 32 },
      ]);
    const lastOf = async (dispose: 0 | 1 | 2) => (await measureFrames(await write(dispose), [2]))[0];
    expect(await lastOf(0)).toEqual([128, 128, 0]);
    expect(await lastOf(1)).toEqual([128, 255, 128]);
    expect(await lastOf(2)).toEqual([0, 128, 128]);
  });

  it("draws a frame over the canvas, or instead of it", async () => {
    const half = draw("rgba(255, 0, 0, 0.5)");
    const write = (isBlended: boolean) => writeApng([{ image: draw("#00f") }, { image: half, isBlended }]);
    const [over] = await measureFrames(await write(true), [1]);
    const [instead] = await measureFrames(await write(false), [1]);
    expect(over).toEqual([128, 0, 127]);
    expect(instead).toEqual([255, 127, 127]);
  });

  it("excludes a default image that is no frame", async () => {
    const frames = [{ image: draw("#f00") }, { image: draw("#0f0") }];
    const file = await writeApng(frames, { defaultImage: draw("#00f") });
    expect(await measureFrames(file, [0, 1])).toEqual([
      [255, 0, 0],
      [0, 255, 0],
    ]);
  });

  it.each([
    ["one frame", () => writeApng([{ image: draw("#f00") }])],
    [
      "a frame outside of its canvas",
      () => writeApng([{ image: draw("#f00") }, { image: draw("#0f0"), left: 1 }]),
    ],
  ])("with %s is an image", async (_name, create) => {
    const file = await create();
    expect(await inspectImage(file)).toMatchObject({ decoderBytes: 0, frameDelaysMs: [0] });
    expect(await measureFrames(file, [0])).toEqual([[255, 0, 0]]);
  });
});

describe("an animated AVIF", () => {
  it("has the delays and the size of its track", async () => {
    expect(await inspectImage(await writeAvifSequence([draw("#000"), draw("#f00")]))).toEqual({
      width: 64,
      height: 32,
      decoderBytes: 64 * 32 * 48,
      scans: 1,
      frameDelaysMs: [100, 100],
    });
    expect((await inspectImage(fadingAvif)).frameDelaysMs).toEqual([200, 200, 200, 200, 200]);
  });

  it("has independent frames", async () => {
    const file = await writeAvifSequence([draw("#000"), draw("#fff"), draw("#000")]);
    const [black, white] = await measureFrames(file, [0, 1]);
    expect(black?.[0]).toBeLessThan(5);
    expect(white?.[0]).toBeGreaterThan(250);
  });

  it("has frames that refer to others", async () => {
    const means = (await measureFrames(fadingAvif, [0, 1, 2, 3, 4])).map(([red = 0]) => red);
    for (const [frame, mean] of means.entries()) expect(Math.abs(mean - frame * 51)).toBeLessThan(4);
    expect((await measureFrames(fadingAvif, [3]))[0]?.[0]).toBe(means[3]);
  });

  it.each([
    ["a frame outside of the file", (file: Buffer) => file.subarray(0, -4)],
    ["more frames than chunks", (file: Buffer) => writeWord(file, "stsz", 8, 6)],
    ["millions of frames", (file: Buffer) => writeWord(file, "stsz", 8, 5_000_000)],
    ["frames that are longer than the file", (file: Buffer) => writeWord(file, "stsz", 4, 2000)],
    ["no first header", (file: Buffer) => writeWord(file, "stco", 8, file.indexOf("mdat") + 4 + 28)],
  ])("with %s is rejected", async (_name, damage) => {
    await expect(inspectImage(damage(Buffer.from(fadingAvif)))).rejects.toThrow();
  });

  it("without a track is an image", async () => {
    const file = await draw("#f00").removeAlpha().avif().toBuffer();
    file.write("avis", 8);
    expect(await inspectImage(file)).toMatchObject({ width: 64, height: 32, frameDelaysMs: [0] });
    expect((await measureFrames(file, [0]))[0]?.[0]).toBeGreaterThan(245);
  });
});

it("rejects an AVIF image with the data of many frames", async () => {
  const file = await draw("#f00").removeAlpha().avif().toBuffer();
  const data = file.subarray(file.indexOf("mdat") + 4);
  const many = Buffer.concat([file, ...Array.from({ length: 8 }, () => data)]);
  expect(await inspectImage(many)).toMatchObject({ width: 64 });
  // The length of the only extent is the last field of the box.
  const locationsAt = many.indexOf("iloc") - 4;
  many.writeUInt32BE(data.length * 9, locationsAt + many.readUInt32BE(locationsAt) - 4);
  await expect(inspectImage(many)).rejects.toThrow("An image has 9 frames.");
});

function writeWord(file: Buffer, box: string, offset: number, value: number): Buffer {
  file.writeUInt32BE(value, file.indexOf(box) + 4 + offset);
  return file;
}
