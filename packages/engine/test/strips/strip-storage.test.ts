import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { CorruptDescriptorsError } from "../../src/episode/corrupt-descriptors-error.ts";
import { decodeStripChunks, encodeStripChunks, isStripChunk } from "../../src/episode/strip-chunks.ts";
import { createStripTable, openStripFile } from "../../src/frame-index/strip-file.ts";

const strips = {
  shotOf: [0, 0, 2, 5],
  bytes: [3, 200, 1, 90].map((length, at) => new Uint8Array(length).fill(at + 1)),
};

test("chunks of a limited size return the strips in order", () => {
  const chunks = encodeStripChunks(strips, 250);
  expect(chunks).toHaveLength(2);
  for (const chunk of chunks) expect(isStripChunk(chunk) && chunk.length <= 250).toBe(true);
  expect(decodeStripChunks(chunks)).toEqual(strips);
  expect(() => encodeStripChunks(strips, 200)).toThrow(RangeError);
});

test("a damaged or shortened chunk is rejected", () => {
  const [chunk = new Uint8Array()] = encodeStripChunks(strips, 1000);
  const damaged = chunk.slice();
  damaged[20] = (damaged[20] ?? 0) ^ 1;
  expect(() => decodeStripChunks([damaged])).toThrow(CorruptDescriptorsError);
  expect(() => decodeStripChunks([chunk.subarray(0, -1)])).toThrow(CorruptDescriptorsError);
});

test("a copy of a strip file has the strips of the remaining episodes, by shot", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "koma-strips-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = openStripFile(folder);
  file.add({ shotOf: [0], bytes: [new Uint8Array(50).fill(9)] });
  const table = file.add(strips);
  expect(file.read(table, 0)).toEqual(strips.bytes.slice(0, 2));
  expect(file.read(table, 1)).toEqual([]);
  await file.copyTo(path.join(folder, "copy"), [table]);
  file.close();
  expect(file.read(table, 0)).toEqual([]);
  const copy = openStripFile(folder);
  onTestFinished(() => copy.close());
  await copy.copyFrom(path.join(folder, "copy"));
  expect(copy.read(createStripTable(table.shotOf, table.lengths, 0), 5)).toEqual(strips.bytes.slice(3));
});
