import { appendFileSync } from "node:fs";
import { copyFile, rename, rm, stat, truncate, utimes, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Episode } from "@koma/database";
import { openLibrary } from "@koma/library";
import { afterAll, describe, expect, inject, test } from "vitest";
import { videoSeconds } from "../fixtures/make-video.ts";
import { findTools, openTestLibrary } from "../fixtures/open-test-library.ts";

const opened = await openTestLibrary({ isEmbedded: true });
afterAll(() => opened.close());

async function find(path: string): Promise<Episode | undefined> {
  return await opened.database.episodes.findByPath(path);
}

test("describes new videos and names them by their paths", async () => {
  await opened.addVideo(1, "new/Lantern Road/Lantern Road - 01.mp4");
  await opened.addVideo(2, "new/Lantern Road/Season 2/S02E03.mp4");
  await opened.addVideo(2, "new/Lantern Road/.hidden.mp4");
  const { summary } = await opened.index([join(opened.videosDir, "new")]);
  expect(summary).toMatchObject({ files: 2, indexed: 2, skipped: 0, failed: 0, isStopped: false });
  const entries = await opened.library.list();
  const entry = entries.find(({ anime }) => anime.titleRomaji === "Lantern Road");
  expect(entry?.episodes).toMatchObject([
    { season: null, number: "1", state: "ready", fileName: "Lantern Road - 01.mp4" },
    { season: 2, number: "3", state: "ready" },
  ]);
  expect(entry?.episodes[0]?.durationSeconds).toBeCloseTo(videoSeconds, 1);
  expect(summary.frames).toBe((entry?.episodes ?? []).reduce((sum, { frameCount }) => sum + frameCount, 0));
});

/** Describing a video takes most of the time, so these tests share one, in this order. */
describe("a known video", () => {
  const path = join(opened.videosDir, "known", "Title - 01.mp4");
  const moved = join(opened.videosDir, "known", "Other Title - 07.mp4");

  test("is skipped when it is unchanged by size and time, or by content when only the time differs", async () => {
    await opened.addVideo(1, "known/Title - 01.mp4");
    await opened.index([path]);
    const again = await opened.index([path]);
    expect(again.events.slice(1)).toEqual([{ kind: "skipped", file: path, reason: "unchanged" }]);
    const seq = await opened.database.libraryChanges.currentSeq();

    await utimes(path, new Date(), new Date("2020-01-01T00:00:00Z"));
    const touched = await opened.index([path]);
    expect(touched.events.slice(1)).toEqual([{ kind: "skipped", file: path, reason: "unchanged" }]);
    expect((await find(path))?.modifiedAtMs).toBe(Date.parse("2020-01-01T00:00:00Z"));
    expect(await opened.database.libraryChanges.currentSeq()).toBe(seq);
  });

  test("is described again with `force`", async () => {
    expect((await opened.index([path], { force: true })).summary).toMatchObject({ indexed: 1, skipped: 0 });
  });

  test("is recognised after a move and named by its new path", async () => {
    const before = await find(path);
    await rename(path, moved);
    const { events, summary } = await opened.index([join(opened.videosDir, "known")]);
    expect(events.slice(1)).toEqual([{ kind: "moved", file: moved, from: path, episodeId: before?.id }]);
    expect(summary).toMatchObject({ moved: 1, indexed: 0 });
    const entry = await opened.library.findEntry(before?.id ?? "");
    expect(entry).toMatchObject({
      anime: { titleRomaji: "Other Title" },
      episodes: [{ number: "7", path: moved }],
    });
  });

  test("is described again after a change, and its episode replaced", async () => {
    const before = await find(moved);
    await opened.addVideo(3, "known/Other Title - 07.mp4");
    const { summary } = await opened.index([moved]);
    const after = await find(moved);
    expect(summary).toMatchObject({ indexed: 1, moved: 0 });
    expect(after?.id).toBe(before?.id);
    expect(after?.contentHash).not.toBe(before?.contentHash);
  });

  test("is renamed without being read", async () => {
    const { events } = await opened.index([moved], { title: "New Title", anilistId: 4711, episode: "5" });
    const id = (await find(moved))?.id ?? "";
    expect(events.slice(1)).toEqual([{ kind: "updated", file: moved, episodeId: id }]);
    expect(await opened.library.findEntry(id)).toMatchObject({
      anime: { titleRomaji: "New Title", anilistId: 4711 },
      episodes: [{ number: "5", state: "ready" }],
    });
  });
});

test("keeps the names that the user set when a video moves", async () => {
  const path = await opened.addVideo(2, "said/whatever.mp4");
  await opened.index([path], { title: "Said Title", episode: "OVA 2", season: 3 });
  const to = join(opened.videosDir, "said", "Parsed - 09.mp4");
  await rename(path, to);
  await opened.index([to]);
  const id = (await find(to))?.id ?? "";
  expect(await opened.library.findEntry(id)).toMatchObject({
    anime: { titleRomaji: "Said Title" },
    episodes: [{ number: "OVA 2", season: 3 }],
  });
});

test("replaces a video that a moved video overwrote", async () => {
  const [first, second] = [
    await opened.addVideo(1, "over/A - 01.mp4"),
    await opened.addVideo(2, "over/A - 02.mp4"),
  ];
  await opened.index([join(opened.videosDir, "over")]);
  const saved = await find(second);
  await rename(second, first);
  const { summary } = await opened.index([join(opened.videosDir, "over")]);
  expect(summary).toMatchObject({ files: 1, moved: 1, indexed: 0 });
  expect(await find(first)).toMatchObject({ id: saved?.id, number: "1", state: "ready" });
  expect(await find(second)).toBeUndefined();
});

test("reports broken videos, continues to serve stored ones, and indexes a repaired video", async () => {
  const folder = join(opened.videosDir, "broken");
  const good = await opened.addVideo(1, "broken/Good - 01.mp4");
  const served = await opened.addVideo(2, "broken/Served - 01.mp4");
  await opened.index([folder]);
  const text = join(folder, "Bad - 01.mkv");
  const empty = join(folder, "Bad - 02.avi");
  await writeFile(text, "this is not a video");
  await writeFile(empty, "");
  await truncate(served, Math.floor((await stat(served)).size / 2));

  const { summary } = await opened.index([folder]);
  expect(summary).toMatchObject({ files: 4, failed: 3, skipped: 1 });
  expect(new Set(summary.problems.map(({ file }) => file))).toEqual(new Set([text, empty, served]));
  for (const { problem } of summary.problems) expect(problem).not.toContain(folder);
  expect((await find(good))?.state).toBe("ready");
  const failed = await find(served);
  expect(failed).toMatchObject({ state: "failed" });
  expect(await opened.database.episodes.listReadyIds(failed?.animeId ?? "")).toEqual([failed?.id]);

  await copyFile(join(inject("videosDir"), "2.mp4"), served);
  await rm(text);
  await rm(empty);
  expect((await opened.index([folder])).summary).toMatchObject({ indexed: 1, failed: 0 });
  expect(await find(served)).toMatchObject({ state: "ready", problem: null });
});

test("does not add an episode again that is removed while it is indexed", async () => {
  const path = await opened.addVideo(1, "removed/Title - 01.mp4");
  const { database, dataDir } = opened;
  const publish: typeof database.episodes.publish = async (claim, facts) => {
    await database.episodes.remove([claim.episodeId]);
    await database.episodes.publish(claim, facts);
  };
  const removing = { ...database, episodes: { ...database.episodes, publish } };
  const library = await openLibrary({
    database: removing,
    dataDir,
    tools: findTools,
    engineWorkers: 1,
    onLog: () => {},
  });
  const { problems } = await library.indexPaths([path]).finally(() => library.close());
  expect(problems).toEqual([{ file: path, problem: "The episode was removed while it was indexed." }]);
  expect(await find(path)).toBeUndefined();
});

test("reports paths that do not exist or have no video extension", async () => {
  const text = join(opened.videosDir, "notes.txt");
  await writeFile(text, "notes");
  const { summary } = await opened.index([text, join(opened.videosDir, "nowhere")]);
  expect(summary.problems.map(({ file }) => basename(file))).toEqual(["notes.txt", "nowhere"]);
  expect(summary).toMatchObject({ files: 0, failed: 2 });
});

test("rejects a video that is still being written and indexes it when it is complete", async () => {
  const path = await opened.addVideo(1, "written/Title - 01.mp4");
  const summary = await opened.library.indexPaths([path], {
    onEvent: (event) => event.kind === "started" && appendFileSync(path, "more"),
  });
  expect(summary.problems).toEqual([
    { file: path, problem: expect.stringContaining("changed while it was read") },
  ]);
  expect(await find(path)).toMatchObject({ state: "failed" });
  expect((await opened.index([path])).summary).toMatchObject({ indexed: 1, failed: 0 });
});

test("waits for the video of a killed indexer", async () => {
  // The videos of the first test.
  const folder = join(opened.videosDir, "new");
  const held = await find(join(folder, "Lantern Road", "Lantern Road - 01.mp4"));
  await opened.database.episodes.claim(held?.id ?? "", { owner: "killed", leaseSeconds: 3 });
  const { events } = await opened.index([folder], { force: true });
  expect(
    events.filter(({ kind }) => kind === "waiting" || kind === "indexed").map(({ kind }) => kind),
  ).toEqual(["waiting", "indexed", "indexed"]);
});

test("stops on the signal and continues in the next run", async () => {
  for (const seed of [1, 2]) await opened.addVideo(seed, `stopped/Title - 0${seed}.mp4`);
  const folder = join(opened.videosDir, "stopped");
  const stopping = new AbortController();
  const stopped = await opened.library.indexPaths([folder], {
    signal: stopping.signal,
    onEvent: (event) => event.kind === "progress" && stopping.abort(),
  });
  expect(stopped).toMatchObject({ isStopped: true, indexed: 0, failed: 0 });
  // The claim was released, so the run need not wait.
  const { summary, events } = await opened.index([folder]);
  expect(summary).toMatchObject({ indexed: 2, failed: 0 });
  expect(events.some((event) => event.kind === "waiting")).toBe(false);
});

test("two indexers share the videos of a folder", async () => {
  for (const seed of [1, 2]) await opened.addVideo(seed, `shared/Title - 0${seed}.mp4`);
  const folder = join(opened.videosDir, "shared");
  const other = await opened.openAgain();
  const seqBefore = await opened.database.libraryChanges.currentSeq();
  const [mine, theirs] = await Promise.all([
    opened.library.indexPaths([folder]),
    other.library.indexPaths([folder]),
  ]);
  expect(mine.indexed + theirs.indexed).toBe(2);
  expect(mine.skipped + theirs.skipped).toBe(2);
  expect(mine.failed + theirs.failed).toBe(0);
  expect((await opened.database.libraryChanges.currentSeq()) - seqBefore).toBe(2n);
});
