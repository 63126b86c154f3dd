import { copyFile, mkdir, rename, rm, utimes, writeFile } from "node:fs/promises";
import { findTestVideo } from "@koma/sample-library/test-videos";
import { afterAll, expect, test } from "vitest";
import { drawVideo } from "./draw-video.ts";
import { chooseMetricsPort, createServerWorkplace, expectOutput, parseLines, readMetric } from "./koma.ts";

const workplace = await createServerWorkplace();
afterAll(() => workplace.remove());

const bars = findTestVideo("small bars");
const colors = findTestVideo("small colors");

const readLines = (stdout: string) => parseLines(stdout);
const listEntries = async () => readLines((await workplace.koma("library", "list", "--json")).stdout);

test("prints events as JSON lines with the summary last; a broken video causes exit code 1", async () => {
  await mkdir(workplace.path("broken"));
  const video = workplace.path("broken/Test Card - 01.mp4");
  await copyFile(bars, video);
  await writeFile(workplace.path("broken/Broken - 01.mp4"), "not a video");
  const { code, stdout } = await workplace.koma("index", "--json", "broken");
  const events = readLines(stdout);
  expect(code).toBe(1);
  expect(events[0]).toMatchObject({ kind: "discovered", files: 2 });
  expect(events.at(-1)).toMatchObject({ kind: "summary", files: 2, indexed: 1, failed: 1 });
  const totals = events.filter((event) => event.kind === "total");
  expect(totals.at(-1)).toMatchObject({
    files: 2,
    done: 2,
    videoSeconds: 2,
    remainingSeconds: 0,
    fraction: 1,
  });
  const failed = events.find((event) => event.kind === "failed");
  expect(failed.file).toBe(workplace.path("broken/Broken - 01.mp4"));
  const again = await workplace.koma("index", "broken");
  expect(again.stdout).toMatch(/^2 videos: 1 unchanged, 1 failed\.$/m);
});

test("takes title, season, episode and AniList id from the command line", async () => {
  await mkdir(workplace.path("named"));
  await copyFile(colors, workplace.path("named/x.mp4"));
  const args = ["--title", "Colour Bars", "--season", "2", "--episode", "13.5", "--anilist-id", "7"];
  const { code, stdout, stderr } = await workplace.koma("index", ...args, "named/x.mp4");
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^1 video: 1 indexed \(\d+ frames?\)\.\n$/)]);
  expect(stderr).toMatch(/^indexed {2}x\.mp4: \d+ frames? of 0:01 in [\d.]+ s$/m);
  const entry = (await listEntries()).find(({ anime }) => anime.titleRomaji === "Colour Bars");
  expect(entry.anime.anilistId).toBe(7);
  expect(entry.episodes).toMatchObject([{ season: 2, number: "13.5", state: "ready" }]);
  expectOutput(
    await workplace.koma("library", "describe", "--anime", "Colour Bars"),
    "All episodes are described by this version.\n",
  );
});

test("watches for videos that are created, moved, replaced or deleted, and serves its metrics", async () => {
  await mkdir(workplace.path("watched"));
  const broken = workplace.path("watched/Broken - 01.mp4");
  await writeFile(broken, "not a video");
  // The run would wait for the end of a video that was written to in the last ten minutes.
  const hourAgo = new Date(Date.now() - 3_600_000);
  await utimes(broken, hourAgo, hourAgo);
  await copyFile(colors, workplace.path("watched/Watched - 01.mp4"));
  const { port, environment } = await chooseMetricsPort();
  const run = workplace.start(["index", "--watch", "--json", "watched"], environment);
  const [, address = ""] = await run.printed(/metrics: (http:[^\s"]+)/);
  expect(new URL(address)).toMatchObject({ hostname: "127.0.0.1", port: String(port) });
  await run.printed(/"kind":"summary"/);
  const videos = { indexed: 1, failed: 1, moved: 0, updated: 0, skipped: 0 };
  for (const [outcome, count] of Object.entries(videos))
    expect([outcome, await readMetric(address, "koma_index_videos_total", outcome)]).toEqual([
      outcome,
      count,
    ]);
  expect(await readMetric(address, "koma_index_video_seconds_total")).toBeCloseTo(1, 0);
  for (const name of ["koma_index_work_seconds_total", "koma_index_frames_total"])
    expect(await readMetric(address, name)).toBeGreaterThan(0);
  for (const state of ["waiting", "running"])
    expect(await readMetric(address, "koma_index_queue", state)).toBe(0);
  const second = await workplace.run(["index", "--watch", "watched"], environment);
  expect(second).toMatchObject({ code: 78, stderr: expect.stringContaining("KOMA_METRICS_PORT") });
  await copyFile(colors, workplace.path("watched/.hidden.mp4"));
  await copyFile(bars, workplace.path("watched/Bars - 01.mp4"));
  await run.printed(/"kind":"indexed","file":"[^"]*Bars - 01\.mp4"/);
  await rename(workplace.path("watched/Bars - 01.mp4"), workplace.path("watched/Bars - 02.mp4"));
  await run.printed(/"kind":"moved","file":"[^"]*Bars - 02\.mp4"/);
  await copyFile(bars, workplace.path("watched/Watched - 01.mp4"));
  await run.printed(/"kind":"indexed","file":"[^"]*Watched - 01\.mp4"[^\n]*"durationSeconds":2/);
  await rm(workplace.path("watched/Bars - 02.mp4"));
  run.child.kill("SIGINT");
  expect((await run.ended).code).toBe(130);
  const shown = await workplace.koma("library", "list", "--json");
  expect(shown.stdout).toContain(workplace.path("watched/Bars - 02.mp4"));
  expect(shown.stdout).not.toContain(".hidden.mp4");
});

test("an interruption stops it soon without partial data", async () => {
  await mkdir(workplace.path("long"));
  await drawVideo(workplace.path("long/Long - 01.mp4"), { source: "testsrc2", seconds: 20 });
  const run = workplace.start(["index", "--json", "long"]);
  await run.printed(/"kind":"started"/);
  run.child.kill("SIGTERM");
  const { code, stdout } = await run.ended;
  expect([code, readLines(stdout).at(-1)]).toMatchObject([
    143,
    { kind: "summary", isStopped: true, indexed: 0 },
  ]);
  const episodes = (await listEntries()).flatMap((entry) => entry.episodes);
  const [long] = episodes.filter(({ path }) => path === workplace.path("long/Long - 01.mp4"));
  expect(long).toMatchObject({ state: "pending", indexedAt: null });
});
