import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type BinaryNeighbours,
  createBinaryNeighbours,
  readBinaryNeighbours,
} from "../../src/nearest-neighbours/binary-neighbours.ts";
import { createFrameLists } from "../../src/nearest-neighbours/frame-lists.ts";
import { quantise } from "../../src/nearest-neighbours/quantise.ts";
import { createVectors, unit } from "../fixtures/descriptors.ts";

const dimensions = 128;
/** Numbers of codes whose scores, and whose vectors, are compared. */
const [SHORTLIST, RERANKED] = [2000, 160];
const vectors = createVectors(3, 4000, dimensions);

let folder: string;
let neighbours: BinaryNeighbours;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "koma-signs-"));
  neighbours = createBinaryNeighbours(dimensions, folder);
});
afterEach(async () => {
  neighbours.close();
  await rm(folder, { recursive: true, force: true });
});

/** Returns a vector near a stored one. */
function near(label: number): Float32Array {
  const [noise] = createVectors(label + 9000, 1, dimensions);
  return unit((vectors[label] ?? new Float32Array()).map((value, at) => value + 0.6 * (noise?.[at] ?? 0)));
}

function encode(some: readonly Float32Array[]): Int8Array {
  const codes = new Int8Array(some.length * dimensions);
  for (const [at, vector] of some.entries()) {
    quantise(vector, codes.subarray(at * dimensions, (at + 1) * dimensions));
  }
  return codes;
}

async function add(to: Pick<BinaryNeighbours, "add" | "show">, some: readonly Float32Array[]) {
  const range = await to.add(encode(some));
  to.show(range);
  return range;
}

const labelsOf = (query: Float32Array, count: number, among = neighbours) =>
  among.search([query], { count })[0]?.map(({ label }) => label) ?? [];

describe("sign neighbours", () => {
  it("are those of an exact search", async () => {
    const exact = createFrameLists(dimensions);
    for (const lists of [neighbours, exact]) await add(lists, vectors);
    const queries = Array.from({ length: 40 }, (_, query) => near(query * 97));
    const expected = exact.search(queries, { count: 10 });
    let found = 0;
    for (const [query, nearest] of neighbours.search(queries, { count: 10 }).entries()) {
      const labels = expected[query]?.map(({ label }) => label);
      found += nearest.filter(({ label }) => labels?.includes(label)).length;
      expect(nearest[0]?.cosine).toBeCloseTo(expected[query]?.[0]?.cosine ?? 0, 2);
    }
    expect(found / 400).toBeGreaterThan(0.97);
  });

  it("are those of plain loops", async () => {
    await add(neighbours, vectors);
    const codes = encode(vectors);
    const codeOf = (label: number) => codes.subarray(label * dimensions, (label + 1) * dimensions);
    const labels = [...vectors.keys()];
    for (let query = 0; query < 20; query++) {
      const vector = near(query * 131);
      const agreementOf = (label: number, of: (component: number) => number) =>
        codeOf(label).reduce((sum, value, at) => sum + (value > 0 ? 1 : -1) * of(vector[at] ?? 0), 0);
      const distances = labels.map(
        (label) => (dimensions - agreementOf(label, (one) => (one > 0 ? 1 : -1))) / 2,
      );
      const limit = distances.toSorted((a, b) => a - b)[SHORTLIST - 1] ?? 0;
      const shortlist = labels.filter((label) => (distances[label] ?? 0) <= limit);
      const scores = shortlist.map((label) => agreementOf(label, (component) => component));
      // The list is cut between two of 512 steps of the scores.
      const least = scores.toSorted((a, b) => b - a)[RERANKED - 1] ?? 0;
      const surely = shortlist.filter((_, at) => (scores[at] ?? 0) >= least);
      const cosineOf = (label: number) => {
        const stored = unit(Float32Array.from(codeOf(label)));
        return vector.reduce((sum, value, at) => sum + value * (stored[at] ?? 0), 0);
      };
      const best = surely.toSorted((a, b) => cosineOf(b) - cosineOf(a)).slice(0, 20);
      const [found] = neighbours.search([vector], { count: 20 });
      expect(found?.map(({ label }) => label)).toEqual(best);
      for (const { label, cosine } of found ?? []) expect(cosine).toBeCloseTo(cosineOf(label), 5);
    }
  });

  it("need less than 40 bytes of memory each", async () => {
    const many = createVectors(5, 60_000, dimensions);
    await add(neighbours, many);
    expect(neighbours.stats().memoryBytes / many.length).toBeLessThan(40);
  });

  it("are found among many, of which a search compares a part", async () => {
    await add(neighbours, vectors);
    const { end } = await add(neighbours, createVectors(5, 40_000, dimensions));
    const queries = Array.from({ length: 100 }, (_, query) => query * 39);
    const ranges = [{ first: 0, end: vectors.length }];
    const compared = [neighbours.search(queries.map(near), { count: 10 })];
    compared.push(neighbours.search(queries.map(near), { count: 10, ranges }));
    for (const results of compared) {
      const found = results.filter((result, at) => result[0]?.label === queries[at]);
      expect(found.length).toBeGreaterThanOrEqual(98);
      expect(results.flat().every(({ label }) => label < end)).toBe(true);
    }
    expect(compared[1]?.flat().every(({ label }) => label < vectors.length)).toBe(true);
  });

  it("remain complete while lists are refined", async () => {
    await add(neighbours, createVectors(5, 3000, dimensions));
    const sorted = () => labelsOf(near(7), 4000).toSorted((a, b) => a - b);
    const before = sorted();
    await neighbours.refine(3000);
    expect(sorted()).toEqual(before);
    expect(before).toHaveLength(3000);
  });

  it("free the memory of removed ones", async () => {
    await add(neighbours, createVectors(5, 20_000, dimensions));
    let { memoryBytes } = neighbours.stats();
    for (let round = 0; round < 20; round++) {
      await neighbours.remove(await add(neighbours, vectors));
      if (round === 0) memoryBytes = neighbours.stats().memoryBytes;
    }
    // The state of a label remains.
    expect(neighbours.stats().memoryBytes - memoryBytes).toBeLessThan(20 * 3 * vectors.length);
    expect(labelsOf(near(7), 100)).toHaveLength(100);
  });

  it("exclude hidden, removed and zero vectors", async () => {
    const zeros = new Float32Array(dimensions);
    await add(neighbours, [...vectors.slice(0, 50), zeros]);
    const removed = await add(neighbours, vectors.slice(7, 8));
    await neighbours.add(encode(vectors.slice(7, 8)));
    await neighbours.remove(removed);
    const labels = labelsOf(near(7), 100);
    expect(labels).toHaveLength(50);
    expect(labels).not.toContain(50);
    expect(neighbours.vectorOf(removed.first)).toBeUndefined();
    expect(neighbours.vectorOf(50)).toBeUndefined();
  });

  it("are searched within ranges of labels", async () => {
    await add(neighbours, vectors.slice(0, 1000));
    const ranges = [
      { first: 100, end: 120 },
      { first: 500, end: 503 },
    ];
    const [found] = neighbours.search([near(7)], { count: 100, ranges });
    expect(found).toHaveLength(23);
    expect(found?.every(({ label }) => ranges.some(({ first, end }) => label >= first && label < end))).toBe(
      true,
    );
  });

  it("are read from their own files only", async () => {
    await add(neighbours, vectors.slice(0, 500));
    const removed = await add(neighbours, vectors.slice(500, 600));
    await add(neighbours, vectors.slice(600, 2000));
    await neighbours.remove(removed);
    const file = path.join(folder, "stored");
    await neighbours.write(file);
    const again = await readBinaryNeighbours(file, dimensions, folder);
    expect(labelsOf(near(1234), 20, again)).toEqual(labelsOf(near(1234), 20));
    expect(await add(again, vectors.slice(500, 600))).toEqual(removed);
    again.close();
    await expect(readBinaryNeighbours(file, 64, folder)).rejects.toThrow(RangeError);
  });
});
