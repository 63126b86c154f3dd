import { copyFile, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { drawVideo } from "./draw-video.ts";
import { createServerWorkplace, type Workplace } from "./koma.ts";

let workplace: Workplace;
beforeAll(async () => {
  workplace = await createServerWorkplace();
  await drawVideo(workplace.path("card.mp4"), { source: "testsrc2", seconds: 4 });
  await drawVideo(workplace.path("apple.mp4"), { source: "mandelbrot", seconds: 4 });
  await drawVideo(workplace.path("bars.mp4"), { source: "smptebars", seconds: 5 });
});
afterAll(() => workplace.remove());

test("prints events as JSON lines with the summary last; a broken video causes exit code 1", async () => {
  await mkdir(workplace.path("broken"));
  const video = workplace.path("broken/Test Card - 01.mp4");
  await copyFile(workplace.path("bars.mp4"), video);
  await writeFile(workplace.path("broken/Broken - 01.mp4"), "not a video");
  const { code, stdout } = await workplace.koma("index", "--json", "broken");
  const events = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(code).toBe(1);
  expect(events[0]).toMatchObject({ kind: "discovered", files: 2 });
  expect(events.at(-1)).toMatchObject({ kind: "summary", files: 2, indexed: 1, failed: 1 });
  const totals = events.filter((event) => event.kind === "total");
  expect(totals.at(-1)).toMatchObject({
    files: 2,
    done: 2,
    videoSeconds: 5,
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
  await copyFile(workplace.path("apple.mp4"), workplace.path("named/x.mp4"));
  const args = ["--title", "Colour Bars", "--season", "2", "--episode", "13.5", "--anilist-id", "7"];
  const { code, stdout, stderr } = await workplace.koma("index", ...args, "named/x.mp4");
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^1 video: 1 indexed \(\d+ frames\)\.\n$/)]);
  expect(stderr).toMatch(/^indexed {2}x\.mp4: \d+ frames of 0:04 in [\d.]+ s$/m);
  const list = await workplace.koma("library", "list", "--json");
  const entries = list.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const entry = entries.find(({ anime }) => anime.titleRomaji === "Colour Bars");
  expect(entry.anime.anilistId).toBe(7);
  expect(entry.episodes).toMatchObject([{ season: 2, number: "13.5", state: "ready" }]);
  const described = await workplace.koma("library", "describe", "--anime", "Colour Bars");
  expect([described.code, described.stdout]).toEqual([0, "All episodes are described by this version.\n"]);
});

test("watches for videos that are created, moved, replaced or deleted", async () => {
  await mkdir(workplace.path("watched"));
  await copyFile(workplace.path("card.mp4"), workplace.path("watched/Watched - 01.mp4"));
  const run = workplace.start(["index", "--watch", "--json", "watched"]);
  await run.printed(/"kind":"summary"/);
  await copyFile(workplace.path("apple.mp4"), workplace.path("watched/.hidden.mp4"));
  await copyFile(workplace.path("bars.mp4"), workplace.path("watched/Bars - 01.mp4"));
  await run.printed(/"kind":"indexed","file":"[^"]*Bars - 01\.mp4"/);
  await rename(workplace.path("watched/Bars - 01.mp4"), workplace.path("watched/Bars - 02.mp4"));
  await run.printed(/"kind":"moved","file":"[^"]*Bars - 02\.mp4"/);
  await copyFile(workplace.path("bars.mp4"), workplace.path("watched/Watched - 01.mp4"));
  await run.printed(/"kind":"indexed","file":"[^"]*Watched - 01\.mp4"[^\n]*"durationSeconds":5/);
  await rm(workplace.path("watched/Bars - 02.mp4"));
  run.child.kill("SIGINT");
  expect((await run.ended).code).toBe(130);
  const shown = await workplace.koma("library", "list", "--json");
  expect(shown.stdout).toContain(workplace.path("watched/Bars - 02.mp4"));
  expect(shown.stdout).not.toContain(".hidden.mp4");
});

test("an interruption stops it soon without partial data, and the next run continues", async () => {
  await mkdir(workplace.path("long"));
  await drawVideo(workplace.path("long/Long - 01.mp4"), { source: "testsrc2", seconds: 40 });
  const run = workplace.start(["index", "--json", "long"]);
  await run.printed(/"kind":"started"/);
  run.child.kill("SIGTERM");
  const { code, stdout } = await run.ended;
  const last = JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "");
  expect([code, last]).toMatchObject([143, { kind: "summary", isStopped: true }]);
  const again = await workplace.koma("index", "long");
  expect([again.code, again.stdout]).toEqual([0, expect.stringMatching(/^1 video: 1 indexed/)]);
});
