import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createExactNeighbours } from "../../src/index/exact-neighbours.ts";
import { createSignNeighbours, type SignNeighbours, signFormat } from "../../src/index/sign-neighbours.ts";
import { createVectors, unit } from "../fixtures/descriptors.ts";

const dimensions = 128;
const vectors = createVectors(3, 4000, dimensions);

let folder: string;
let neighbours: SignNeighbours;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "koma-signs-"));
  neighbours = createSignNeighbours(dimensions, folder);
});
afterEach(async () => {
  neighbours.close();
  await rm(folder, { recursive: true, force: true });
});

/** A vector near to one that is stored. */
function near(label: number): Float32Array {
  const [noise] = createVectors(label + 9000, 1, dimensions);
  return unit((vectors[label] ?? new Float32Array()).map((value, at) => value + 0.6 * (noise?.[at] ?? 0)));
}

describe("neighbours by signs", () => {
  it("are those of an exact search", () => {
    const exact = createExactNeighbours();
    for (const [label, vector] of vectors.entries()) {
      neighbours.add(label, vector);
      exact.add(label, vector);
    }
    let found = 0;
    for (let query = 0; query < 40; query++) {
      const expected = exact.search(near(query * 97), 10).map(({ label }) => label);
      const params = neighbours.search(near(query * 97), 10);
      found += params.filter(({ label }) => expected.includes(label)).length;
      expect(params[0]?.cosine).toBeCloseTo(exact.search(near(query * 97), 1)[0]?.cosine ?? 0, 2);
    }
    expect(found / 400).toBeGreaterThan(0.97);
    expect(neighbours.memoryBytes() / vectors.length).toBeLessThan(20);
  });

  it("leave out what was removed and what shows nothing", () => {
    for (const [label, vector] of vectors.slice(0, 50).entries()) neighbours.add(label, vector);
    neighbours.add(50, new Float32Array(dimensions));
    neighbours.remove(7);
    const labels = neighbours.search(near(7), 100).map(({ label }) => label);
    expect(labels).toHaveLength(49);
    expect(labels).not.toContain(7);
    expect(labels).not.toContain(50);
    expect(neighbours.vectorOf(7)).toBeUndefined();
    expect(neighbours.size()).toEqual({ stored: 51, removed: 1 });
  });

  it("come back from a file, and only from their own", async () => {
    for (const [label, vector] of vectors.slice(0, 2000).entries()) neighbours.add(label, vector);
    neighbours.remove(3);
    const file = path.join(folder, "stored");
    await neighbours.write(file);
    const format = signFormat(dimensions, folder);
    const again = await format.read(file, neighbours.size());
    expect(again.search(near(1234), 20)).toEqual(neighbours.search(near(1234), 20));
    expect(again.size()).toEqual(neighbours.size());
    again.close();
    await expect(format.read(file, { stored: 1999, removed: 1 })).rejects.toThrow(RangeError);
  });
});
