import { copyFile, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { findTestVideo, type TestVideoName } from "@koma/sample-library/test-videos";
import { afterEach, beforeEach, expect, test } from "vitest";
import { drawVideo } from "./draw-video.ts";
import {
  chooseMetricsPort,
  createServerWorkplace,
  parseLines,
  readMetric,
  type ServerWorkplace,
} from "./koma.ts";

let workplace: ServerWorkplace;
beforeEach(async () => {
  workplace = await createServerWorkplace();
  await mkdir(workplace.path("videos"));
});
afterEach(() => workplace.remove());

type Event = { kind: string; file: string; problem?: string };

const jsonLines = <Line = Event>(stdout: string): Line[] => parseLines(stdout);

const filesOf = (stdout: string, kind: string): string[] =>
  jsonLines(stdout)
    .filter((event) => event.kind === kind)
    .map(({ file }) => file);

const listQueue = async () =>
  jsonLines<{ id: string; path: string; state: string; problem: string | null; attempts: number }>(
    (await workplace.koma("library", "queue", "--json")).stdout,
  );

const readStatus = async () => {
  const [status] = jsonLines<{
    library: { episodes: { ready: number } };
    queue: { waiting: number; running: number; dead: number; isPaused: boolean };
    workers: { name: string; paths: string[] }[];
  }>((await workplace.koma("library", "status", "--json")).stdout);
  if (status === undefined) throw new Error("No status was printed.");
  return status;
};

/** Copies test videos into the queued folder. */
async function addVideos(...names: TestVideoName[]): Promise<string[]> {
  const files = names.map((_, index) => workplace.path("videos", `Show - ${index + 1}.mp4`));
  for (const [index, name] of names.entries()) await copyFile(findTestVideo(name), files[index] ?? "");
  return files;
}

/** Draws a video that takes seconds to index. */
async function drawLong(seconds: number): Promise<string> {
  const file = workplace.path("videos", "Long - 1.mp4");
  await drawVideo(file, { source: "testsrc2", seconds });
  return file;
}

test("three workers index five videos, each once, also when one worker is killed", async () => {
  const files = await addVideos("small bars", "small card", "small spiral", "negative and colors");
  const long = await drawLong(8);
  expect((await workplace.koma("index", "--queue", "--priority", "5", long)).stdout).toMatch(/1 queued/);
  const queued = await workplace.koma("index", "--queue", "videos");
  expect(queued.stdout).toBe("5 videos: 5 queued, 0 unchanged.\n");

  const first = workplace.start(["worker", "--json", "--jobs", "1", "--drain"]);
  await first.printed(/"kind":"started"[^\n]*Long - 1\.mp4/);
  // The video would be indexed before the status is read on a busy machine.
  first.child.kill("SIGSTOP");
  const status = await readStatus();
  expect(status).toMatchObject({ queue: { waiting: 4, running: 1, dead: 0 } });
  expect(status.workers).toMatchObject([
    { name: expect.stringContaining(`:${first.child.pid}`), paths: [long] },
  ]);
  first.child.kill("SIGKILL");
  const killed = await first.ended;
  const others = [1, 2].map(() => workplace.start(["worker", "--json", "--jobs", "1", "--drain"]).ended);
  const ended = await Promise.all(others);
  expect(ended.map(({ code }) => code)).toEqual([0, 0]);

  const indexed = [killed, ...ended].flatMap(({ stdout }) => filesOf(stdout, "indexed"));
  expect(indexed.sort()).toEqual([...files, long].sort());
  for (const { stdout } of ended) expect(filesOf(stdout, "indexed").length).toBeGreaterThan(0);
  expect(await listQueue()).toEqual([]);
  expect((await readStatus()).library.episodes.ready).toBe(5);
  expect((await workplace.koma("index", "--queue", "videos")).stdout).toMatch(/0 queued, 5 unchanged/);
}, 240_000);

test("a paused queue waits; a damaged video is listed with its reason, and indexed after it was replaced", async () => {
  const [file = ""] = await addVideos("small bars");
  const broken = workplace.path("videos", "Broken - 1.mp4");
  await writeFile(broken, "not a video");
  await workplace.koma("index", "--queue", "videos");
  await workplace.koma("library", "queue", "pause");
  const { environment } = await chooseMetricsPort();
  const run = workplace.start(["worker", "--json", "--jobs", "1"], environment);
  const [, address = ""] = await run.printed(/metrics: (http:[^\s"]+)/);
  const read = (name: string, ...labels: string[]) => readMetric(address, name, ...labels);
  await expect.poll(() => read("koma_queue_workers")).toBe(1);
  expect((await readStatus()).queue).toEqual({ waiting: 2, running: 0, dead: 0, isPaused: true });
  expect((await workplace.koma("library", "queue", "resume")).code).toBe(0);
  for (const [state, count] of [
    ["dead", 1],
    ["waiting", 0],
    ["running", 0],
  ] as const)
    await expect.poll(() => read("koma_queue_videos", state), { message: state }).toBe(count);
  for (const outcome of ["indexed", "failed"])
    await expect.poll(() => read("koma_index_videos_total", outcome), { message: outcome }).toBe(1);
  expect(await read("koma_index_queue", "waiting")).toBe(0);

  const [video] = await listQueue();
  expect(video).toMatchObject({
    path: broken,
    state: "dead",
    attempts: 1,
    problem: expect.stringMatching(/\w/),
  });
  expect((await workplace.koma("library", "queue")).stdout).toContain(video?.problem);
  expect((await workplace.koma("index", "--queue", "videos")).stdout).toMatch(/0 queued.*1 failed before/);
  await copyFile(findTestVideo("small colors"), broken);
  expect((await workplace.koma("library", "queue", "retry", "unknown")).code).toBe(1);
  expect((await workplace.koma("library", "queue", "retry", video?.id ?? "")).stdout).toMatch(
    /1 video queued/,
  );
  await expect.poll(() => read("koma_index_videos_total", "indexed")).toBe(2);
  run.child.kill("SIGTERM");
  const { stdout } = await run.ended;
  expect([filesOf(stdout, "failed"), filesOf(stdout, "indexed")]).toEqual([[broken], [file, broken]]);
  expect(await listQueue()).toEqual([]);
}, 180_000);

test("a missing video is tried again later, and a stopped worker puts its video back", async () => {
  const [missing = ""] = await addVideos("small card");
  await workplace.koma("index", "--queue", "videos");
  await rm(missing);
  const run = workplace.start(["worker", "--json", "--jobs", "1"]);
  await run.printed(/"kind":"retrying"/);
  const long = await drawLong(20);
  await workplace.koma("index", "--queue", "videos");
  await run.printed(/"kind":"started"[^\n]*Long - 1\.mp4/);
  run.child.kill("SIGTERM");
  expect((await run.ended).code).toBe(143);
  const queued = (await listQueue()).sort((a, b) => a.path.localeCompare(b.path));
  expect(queued).toMatchObject([
    { path: long, state: "waiting", attempts: 0, problem: null },
    { path: missing, state: "waiting", attempts: 1, problem: "The file or folder does not exist." },
  ]);
  expect((await readStatus()).workers).toEqual([]);
}, 180_000);

test("a worker with roots reads its own paths, and stores those of the queueing machine", async () => {
  const [show = ""] = await addVideos("small bars");
  for (const folder of ["copies", "other"]) await mkdir(workplace.path(folder));
  const copy = workplace.path("copies", "Copy - 1.mp4");
  await copyFile(show, copy);
  expect((await workplace.koma("index", "copies")).code).toBe(0);
  const outside = workplace.path("other", "Other - 1.mp4");
  await writeFile(outside, "not a video");
  await workplace.koma("index", "--queue", "videos", "other");
  // On the worker's machine the videos are elsewhere, and the folder of the copy does not exist.
  await rename(workplace.path("videos"), workplace.path("mounted"));
  await rename(workplace.path("copies"), workplace.path("hidden"));
  const root = `${workplace.path("videos")}=${workplace.path("mounted")}`;
  const run = await workplace.koma("worker", "--drain", "--json", "--root", root);
  // The copy counts as there, so its episode is not moved to the path of the video.
  expect(filesOf(run.stdout, "indexed")).toEqual([show]);
  const listed = await workplace.koma("library", "list", "--json");
  expect(listed.stdout).toContain(show);
  expect(listed.stdout).toContain(copy);
  expect(listed.stdout).not.toContain("mounted");
  // A video outside the roots waits for another worker.
  expect(await listQueue()).toMatchObject([{ path: outside, state: "waiting", attempts: 0 }]);
}, 180_000);
