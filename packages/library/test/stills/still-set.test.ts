import { sharp } from "@koma/image";
import { createRandom } from "@koma/testing/drawing";
import { expect, test } from "vitest";
import { compressStill, fitStills } from "../../src/stills/fit-stills.ts";
import { CorruptStillsError, encodeStillSet, findStill } from "../../src/stills/still-set.ts";

const stills = [
  { fromSeconds: 0.5, toSeconds: 2.25, jpeg: Buffer.from("first") },
  { fromSeconds: 2.333333, toSeconds: 2.333333, jpeg: Buffer.from("second still") },
  { fromSeconds: 4, toSeconds: 9.9996, jpeg: Buffer.from("third") },
];

test("finds the still of the shot at a time", async () => {
  const read = readerOf(encodeStillSet(stills));
  const found = async (atSeconds: number) => (await findStill(read, atSeconds))?.toString();
  expect(await Promise.all([0.5, 1.2, 2.25].map(found))).toEqual(["first", "first", "first"]);
  expect(await Promise.all([2.333, 2.3333333].map(found))).toEqual(["second still", "second still"]);
  expect(await Promise.all([4, 10].map(found))).toEqual(["third", "third"]);
  expect(await Promise.all([0, 2.3, 3.9, 10.1].map(found))).toEqual(Array(4).fill(undefined));
  expect(await findStill(readerOf(encodeStillSet([])), 1)).toBeUndefined();
});

test("finds stills in a table that is longer than the first read", async () => {
  const many = Array.from({ length: 3000 }, (_, i) => ({
    fromSeconds: i,
    toSeconds: i + 0.9,
    jpeg: Buffer.from(`still ${i}`),
  }));
  const read = readerOf(encodeStillSet(many));
  for (const at of [0, 1500, 2999]) expect((await findStill(read, at + 0.5))?.toString()).toBe(`still ${at}`);
});

test("rejects every changed, missing and additional byte of a still", async () => {
  const bytes = encodeStillSet(stills);
  for (let at = 0; at < bytes.length; at += 1) {
    const damaged = Uint8Array.from(bytes);
    damaged[at] = (damaged[at] ?? 0) ^ 0x41;
    const found = await Promise.allSettled([1, 2.333, 5].map((time) => findStill(readerOf(damaged), time)));
    const rejected = found.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
    expect(rejected.length, `byte ${at}`).toBeGreaterThan(0);
    for (const error of rejected) expect(error).toBeInstanceOf(CorruptStillsError);
  }
  for (let length = 0; length < bytes.length; length += 1)
    await expect(findStill(readerOf(bytes.subarray(0, length)), 5)).rejects.toThrow(CorruptStillsError);
});

test("limits the size of all stills", async () => {
  const random = createRandom(1).next;
  const noise = await Promise.all(
    Array.from({ length: 40 }, async (_, i) => {
      const pixels = Uint8Array.from({ length: 320 * 180 * 3 }, () => random() * 255);
      const raw = { width: 320, height: 180, channels: 3 } as const;
      return {
        fromSeconds: i,
        toSeconds: i + 0.5 + i / 100,
        jpeg: await compressStill(sharp(pixels, { raw })),
      };
    }),
  );
  const limitBytes = (seconds: number) => 65_536 + 1400 * seconds;
  const sizeOf = (all: readonly { jpeg: Uint8Array }[]) =>
    all.reduce((sum, { jpeg }) => sum + jpeg.length, 0);

  const long = noise.map((still, i) => ({ ...still, fromSeconds: i * 10, toSeconds: i * 10 + 9 }));
  const fitted = await fitStills(long);
  expect(sizeOf(long)).toBeGreaterThan(limitBytes(399));
  expect(sizeOf(fitted)).toBeLessThanOrEqual(limitBytes(399));
  expect(fitted.map(({ fromSeconds }) => fromSeconds)).toEqual(long.map(({ fromSeconds }) => fromSeconds));
  for (const { jpeg } of fitted)
    expect(await sharp(jpeg).metadata()).toMatchObject({ format: "jpeg", width: 320 });

  // No quality is low enough: the stills of the longest shots are stored.
  const fewer = await fitStills(noise);
  expect(sizeOf(fewer)).toBeLessThanOrEqual(limitBytes(41));
  expect(fewer.length).toBeGreaterThan(0);
  expect(fewer.map(({ fromSeconds }) => fromSeconds)).toEqual(
    noise.slice(-fewer.length).map(({ fromSeconds }) => fromSeconds),
  );
  expect(await fitStills([])).toEqual([]);
});

function readerOf(bytes: Uint8Array) {
  return async (offset: number, length: number) => bytes.subarray(offset, offset + length);
}
