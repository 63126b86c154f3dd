import type { MissingSceneDescriptor, MissingSceneStore } from "@koma/database";
import { expect, test } from "vitest";
import { createMissingScenes } from "../../src/search/missing-scenes.ts";

type Row = MissingSceneDescriptor & { modelId: string; searches: number; upstream: unknown };

/** A store in memory, as instances share it. */
function openStore() {
  const rows: Row[] = [];
  const store: Pick<MissingSceneStore, "listDescriptors" | "add" | "count"> = {
    async listDescriptors({ modelId, since, before }) {
      const listed = rows.filter((row) => row.modelId === modelId && row.lastAt >= since);
      return before === undefined ? listed.toSorted((a, b) => Number(b.lastAt) - Number(a.lastAt)) : [];
    },
    async add({ at, ...search }) {
      const id = String(rows.length);
      rows.push({ ...search, id, searches: 1, lastAt: at });
      return id;
    },
    async count(id, { at, descriptor, upstream }) {
      const row = rows.find((one) => one.id === id);
      if (row === undefined) return false;
      Object.assign(row, { descriptor, upstream: upstream ?? row.upstream, lastAt: at });
      row.searches += 1;
      return true;
    },
  };
  const errors: unknown[] = [];
  const open = (days = 30) =>
    createMissingScenes({ missingScenes: store, days, onLeftover: (error) => errors.push(error) });
  return { rows, store, errors, open };
}

/** A descriptor that has this cosine to the axis `axis`. */
function describe(axis: number, cosine = 1, modelId = "model-1") {
  const vector = new Int8Array(128);
  vector[axis] = Math.round(100 * cosine);
  vector[axis + 1] = Math.round(100 * Math.sqrt(1 - cosine ** 2));
  return { modelId, vector };
}

const at = new Date("2026-11-20T12:00:00.000Z");

test("images that resemble each other are one scene, of all instances and of one model", async () => {
  const { rows, open, errors } = openStore();
  const [first, second] = [open(), open()];
  for (const [scenes, descriptor] of [
    [first, describe(0)],
    [second, describe(0, 0.95)],
    [first, describe(0, 0.8)],
    [second, describe(50)],
    [first, describe(0, 1, "model-2")],
    [first, describe(50)],
  ] as const) {
    scenes.add({ descriptor, upstream: undefined, at });
    await scenes.settled();
  }
  expect(errors).toEqual([]);
  // The third image resembles the second one, whose descriptor replaced the first one.
  expect(rows.map(({ modelId, searches }) => [modelId, searches])).toEqual([
    ["model-1", 3],
    ["model-1", 2],
    ["model-2", 1],
  ]);
});

test("nothing is stored where it is off, of an image without content, and beyond a burst", async () => {
  const { rows, store, open, errors } = openStore();
  const off = open(0);
  off.add({ descriptor: describe(0), upstream: undefined, at });
  await off.settled();
  const scenes = open();
  scenes.add({ descriptor: undefined, upstream: undefined, at });
  scenes.add({ descriptor: { modelId: "model-1", vector: new Int8Array(128) }, upstream: undefined, at });
  await scenes.settled();
  expect(rows).toEqual([]);
  for (let count = 0; count < 150; count++) scenes.add({ descriptor: describe(0), upstream: undefined, at });
  await scenes.settled();
  expect(rows).toMatchObject([{ searches: 100 }]);
  const failure = new Error("The database does not respond.");
  store.count = () => Promise.reject(failure);
  const failing = open();
  failing.add({ descriptor: describe(0), upstream: undefined, at });
  await failing.settled();
  expect(errors).toEqual([failure]);
});
