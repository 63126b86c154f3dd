import { expect, it } from "vitest";
import { openPatchStore } from "../../src/verification/patch-store.ts";

it("holds all values until it is disposed of, and then reuses its memory", () => {
  const patches = Array.from({ length: 400 }, (_, number) => new Float32Array(500).fill(number));
  const store = () => {
    using opened = openPatchStore();
    const stored = patches.map((patch) => opened.store(patch));
    expect(stored).toEqual(patches);
    return new Set(stored.map(({ buffer }) => buffer));
  };
  const first = store();
  expect(first.size).toBeGreaterThan(1);
  expect(store()).toEqual(first);
  using one = openPatchStore();
  using other = openPatchStore();
  expect(one.store(Float32Array.of(1)).buffer).not.toBe(other.store(Float32Array.of(2)).buffer);
});
