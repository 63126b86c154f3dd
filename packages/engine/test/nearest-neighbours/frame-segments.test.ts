import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { createFrameLists } from "../../src/nearest-neighbours/frame-lists.ts";
import { createFrameSegments, type FrameSegments } from "../../src/nearest-neighbours/frame-segments.ts";
import { type LabelRange, REUSE_AFTER_MS } from "../../src/nearest-neighbours/label-ranges.ts";
import { readSnapshot, writeSnapshot } from "../../src/nearest-neighbours/snapshot.ts";
import { createEpisode, createView, dimensions } from "./seeded-vectors.ts";

const create = () => createFrameLists(dimensions);
const open = (lists?: ReturnType<FrameSegments["lists"]>) =>
  createFrameSegments(create, { mostFrames: 500, ...(lists && { lists }) });

async function addTo(segments: ReturnType<typeof createFrameLists> | FrameSegments, seed: number) {
  const range = await segments.add(createEpisode(seed, 200));
  segments.show(range);
  await segments.refine(200);
  return range;
}

/** Segments of two episodes of 200 frames each, five in all. */
async function fill() {
  const segments = open();
  const ranges: LabelRange[] = [];
  for (const seed of [1, 2, 3, 4, 5]) ranges.push(await addTo(segments, seed));
  return { segments, ranges };
}

const views = [1, 3, 5].map((seed) => createView(createEpisode(seed, 200), 150));

it("finds the same frames as one memory, also in parts of the labels", async () => {
  const { segments, ranges } = await fill();
  const whole = create();
  for (const seed of [1, 2, 3, 4, 5]) await addTo(whole, seed);
  expect(segments.lists().map((lists) => lists.stats().frames)).toEqual([400, 400, 200]);
  expect(ranges.map(({ first }) => first)).toEqual([0, 200, 400, 600, 800]);
  expect(segments.search(views, { count: 120 })).toEqual(whole.search(views, { count: 120 }));
  const some = ranges.filter((_, at) => at === 1 || at === 4);
  expect(segments.search(views, { count: 120, ranges: some })).toEqual(
    whole.search(views, { count: 120, ranges: some }),
  );
  for (const label of [0, 399, 400, 999]) expect(segments.vectorOf(label)).toEqual(whole.vectorOf(label));
});

it("stores an episode in the place of a removed one, and no more frames in a full segment", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const { segments, ranges } = await fill();
  await segments.remove(ranges[1] as LabelRange);
  expect(segments.search(views, { count: 1000 })[0]).toHaveLength(800);
  // The labels of the removed episode are not free yet, and the last segment has room for one.
  expect(await addTo(segments, 6)).toEqual({ first: 1000, end: 1200 });
  vi.advanceTimersByTime(REUSE_AFTER_MS + 1);
  expect(await addTo(segments, 7)).toEqual(ranges[1]);
  expect(await addTo(segments, 8)).toEqual({ first: 1200, end: 1400 });
  expect(segments.lists().map((lists) => lists.stats().frames)).toEqual([400, 400, 400, 200]);
  const [found] = segments.search([createView(createEpisode(7, 200), 150)], { count: 1 });
  expect(found?.[0]?.label).toBe(350);
});

it("continues with the segments of a snapshot", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "koma-segments-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { segments } = await fill();
  await writeSnapshot(path.join(folder, "vectors"), segments.lists(), "origin");
  const restored = open(await readSnapshot(path.join(folder, "vectors"), dimensions, "origin"));
  expect(restored.search(views, { count: 120 })).toEqual(segments.search(views, { count: 120 }));
  expect(await addTo(restored, 6)).toEqual({ first: 1000, end: 1200 });
  expect(await addTo(restored, 7)).toEqual({ first: 1200, end: 1400 });
});
