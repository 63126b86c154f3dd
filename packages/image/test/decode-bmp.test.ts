import { expect, it } from "vitest";
import { BmpError, decodeBmp, isBmp } from "../src/index.ts";
import { writeBmp } from "./shared/write-bmp.ts";

const red = { r: 220, g: 20, b: 20 };
const blue = { r: 20, g: 20, b: 220 };
const pixel = (x: number, y: number) => (x < 3 ? red : y < 2 ? blue : { r: 0, g: 0, b: 0 });
const limitBytes = 1024 * 1024;
const problemOf = (file: Uint8Array) =>
  decodeBmp(file, limitBytes).then(
    () => undefined,
    (error: unknown) => (error instanceof BmpError ? error.problem : error),
  );

it.each(
  ([8, 16, 24, 32] as const).flatMap((bits) => [false, true].map((isTopDown) => [bits, isTopDown] as const)),
)("decodes %i bits, top-down: %s", async (bits, isTopDown) => {
  const { data, width, height } = await decodeBmp(writeBmp(5, 4, pixel, { bits, isTopDown }), limitBytes);
  expect([width, height, data.length]).toEqual([5, 4, 60]);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const { r, g, b } = pixel(x, y);
      const at = (y * width + x) * 3;
      // 16 bits have five bits per channel.
      const error = Math.max(...[r, g, b].map((value, i) => Math.abs((data[at + i] ?? 0) - value)));
      expect(error, `at ${x},${y}`).toBeLessThanOrEqual(bits === 16 ? 5 : 0);
    }
  }
});

it("decodes two colors of one bit each", async () => {
  const file = writeBmp(10, 1, () => red, { bits: 8 });
  file.writeUInt16LE(1, 28);
  file.writeUIntLE(0x0000ff, 58, 3);
  file.writeUInt16BE(0b0100000001000000, file.readUInt32LE(10));
  const { data } = await decodeBmp(file, limitBytes);
  const blues = Array.from({ length: 10 }, (_, x) => data[x * 3 + 2] === 255);
  expect(blues.map(Number).join("")).toBe("0100000001");
});

it("returns black for a color that the palette lacks", async () => {
  const file = writeBmp(1, 1, () => red, { bits: 8 });
  // The palette follows the pixels and ends after two colors.
  const short = Buffer.concat([file.subarray(0, 54), Buffer.alloc(8, 0xff)]);
  short.writeUInt32LE(54, 10);
  expect([...(await decodeBmp(short, limitBytes)).data]).toEqual([0, 0, 0]);
});

it("rejects compression, truncated files and too many pixels", async () => {
  const whole = () => writeBmp(50, 40, pixel, { bits: 8 });
  for (const compression of [1, 2, 4, 5]) {
    const file = whole();
    file.writeUInt32LE(compression, 30);
    expect(await problemOf(file)).toBe("unsupported");
  }
  for (const end of [1000, 100, 40, 27]) expect(await problemOf(whole().subarray(0, end))).toBe("unreadable");
  for (const [width, height] of [
    [0, 40],
    [-50, 40],
    [50, 0],
  ] as const) {
    const file = whole();
    file.writeInt32LE(width, 18);
    file.writeInt32LE(height, 22);
    expect(await problemOf(file)).toBe("unreadable");
  }
  for (const height of [0x7fffffff, -0x80000000]) {
    const file = whole();
    file.writeInt32LE(0x7fffffff, 18);
    file.writeInt32LE(height, 22);
    expect(await problemOf(file)).toBe("too-large");
  }
});

it("returns pixels or a BmpError for damaged headers", async () => {
  // A linear congruential generator: the same damage in every run.
  let state = 1;
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
  const problems = new Set<unknown>();
  for (let run = 0; run < 3000; run++) {
    const file = writeBmp(6, 5, pixel, { bits: ([8, 16, 24, 32] as const)[run % 4] ?? 24 });
    for (let change = 0; change <= run % 3; change++) file[10 + random(44)] = random(256);
    problems.add(await problemOf(run % 5 === 0 ? file.subarray(0, random(file.length)) : file));
  }
  expect([...problems].map(String).sort()).toEqual(["too-large", "undefined", "unreadable", "unsupported"]);
});

it("recognises a BMP by its header", () => {
  expect(isBmp(writeBmp(1, 1, () => red))).toBe(true);
  for (const text of ["BM", "BMW is a manufacturer of cars and motorcycles", ""]) {
    expect(isBmp(Buffer.from(text))).toBe(false);
  }
});
