import {
  CorruptDescriptorsError,
  decodeDescriptors,
  encodeDescriptorChunks,
  encodeFrameTable,
} from "@koma/engine";
import { describe, expect, it } from "vitest";
import { createEpisode, createVectors } from "../fixtures/descriptors.ts";

const episode = createEpisode("m", createVectors(1, 400, 128));
const table = encodeFrameTable(episode);
const chunks = encodeDescriptorChunks(episode, 32_768);

describe("descriptor codec", () => {
  it("decodes the descriptors that it encoded", () => {
    expect(decodeDescriptors("m", table, chunks)).toEqual(episode);
  });

  it("respects the limit per chunk and needs less than 700 bytes per frame", () => {
    expect(chunks.length).toBeGreaterThan(1);
    for (const chunk of chunks) expect(chunk.length).toBeLessThanOrEqual(32_768);
    const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, table.length);
    expect(bytes / episode.count).toBeLessThan(700);
  });

  it("decodes slices of larger buffers", () => {
    const shifted = chunks.map((chunk) =>
      Buffer.concat([Buffer.from("x"), chunk, Buffer.from("y")]).subarray(1, -1),
    );
    expect(decodeDescriptors("m", table, shifted)).toEqual(episode);
  });

  it("encodes an episode without frames", () => {
    const empty = createEpisode("m", []);
    expect(encodeDescriptorChunks(empty, 1000)).toEqual([]);
    expect(decodeDescriptors("m", encodeFrameTable(empty), [])).toEqual(empty);
  });

  it.each<[string, () => unknown]>([
    ["another model", () => decodeDescriptors("n", table, chunks)],
    ["a missing chunk", () => decodeDescriptors("m", table, chunks.slice(1))],
    ["the last chunk missing", () => decodeDescriptors("m", table, chunks.slice(0, -1))],
    ["a repeated chunk", () => decodeDescriptors("m", table, [...chunks, ...chunks.slice(-1)])],
    ["chunks in another order", () => decodeDescriptors("m", table, chunks.toReversed())],
    ["a truncated table", () => decodeDescriptors("m", table.subarray(0, -3), chunks)],
    ["no table", () => decodeDescriptors("m", new Uint8Array(0), chunks)],
    ["a truncated chunk", () => decodeDescriptors("m", table, [...chunks.slice(0, -1), cutLast()])],
    ["a changed byte", () => decodeDescriptors("m", table, [flip(chunks[0], 5000), ...chunks.slice(1)])],
    ["a changed table", () => decodeDescriptors("m", flip(table, 500), chunks)],
  ])("rejects %s", (_name, decode) => {
    expect(decode).toThrow(CorruptDescriptorsError);
  });

  it("encodes regions after the frames and rejects damaged ones", () => {
    const regions = createEpisode("m", createVectors(2, 90, 128));
    const withRegions = { ...episode, regions };
    const all = encodeDescriptorChunks(withRegions, 32_768);
    expect(all.slice(0, chunks.length)).toEqual(chunks);
    expect(decodeDescriptors("m", table, all)).toEqual(withRegions);
    for (const damaged of [
      all.slice(0, -1),
      [...all.slice(0, -1), flip(all.at(-1), 3000)],
      [...chunks.slice(1), ...all.slice(chunks.length)],
    ]) {
      expect(() => decodeDescriptors("m", table, damaged)).toThrow(CorruptDescriptorsError);
    }
  });

  it("rejects a frame that exceeds the limit of a chunk", () => {
    expect(() => encodeDescriptorChunks(episode, 100)).toThrow(RangeError);
  });
});

function cutLast(): Uint8Array {
  return chunks.at(-1)?.subarray(0, -1) ?? new Uint8Array(0);
}

function flip(bytes: Uint8Array | undefined, at: number): Uint8Array {
  const copy = Uint8Array.from(bytes ?? []);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
}
