import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { drawVideo } from "./draw-video.ts";
import { createServerWorkplace, type Workplace } from "./koma.ts";

let workplace: Workplace;
beforeAll(async () => {
  workplace = await createServerWorkplace();
  await drawVideo(workplace.path("card.mp4"), { source: "testsrc2", seconds: 3 });
  await drawVideo(workplace.path("apple.mp4"), { source: "mandelbrot", seconds: 3 });
});
afterAll(() => workplace.remove());

/** A new folder with these videos, each a copy of one of the two. */
async function createFolder(name: string, videos: Record<string, string>): Promise<void> {
  await mkdir(workplace.path(name));
  for (const [file, video] of Object.entries(videos)) {
    await copyFile(workplace.path(video), workplace.path(name, file));
  }
}

const jsonLines = (stdout: string) =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

test("prints events as JSON lines with the summary last; a broken video causes exit code 1", async () => {
  await createFolder("broken", { "Test Card - 01.mp4": "card.mp4" });
  await writeFile(workplace.path("broken/Broken - 01.mp4"), "not a video");
  const { code, stdout } = await workplace.koma("index", "--json", "broken");
  const events = jsonLines(stdout);
  expect(code).toBe(1);
  expect(events[0]).toMatchObject({ kind: "discovered", files: 2 });
  expect(events.at(-1)).toMatchObject({ kind: "summary", files: 2, indexed: 1, failed: 1 });
  const totals = events.filter((event) => event.kind === "total");
  expect(totals.at(-1)).toMatchObject({
    files: 2,
    done: 2,
    videoSeconds: 3,
    remainingSeconds: 0,
    fraction: 1,
  });
  const failed = events.find((event) => event.kind === "failed");
  expect(failed.file).toBe(workplace.path("broken/Broken - 01.mp4"));
  const again = await workplace.koma("index", "broken");
  expect(again.stdout).toMatch(/^2 videos: 1 unchanged, 1 failed\.$/m);
});

test("takes title, season, episode and AniList id from the command line", async () => {
  await createFolder("named", { "x.mp4": "apple.mp4" });
  const args = ["--title", "Colour Bars", "--season", "2", "--episode", "13.5", "--anilist-id", "7"];
  const { code, stdout, stderr } = await workplace.koma("index", ...args, "named/x.mp4");
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^1 video: 1 indexed \(\d+ frames\)\.\n$/)]);
  expect(stderr).toMatch(/^indexed {2}x\.mp4: \d+ frames of 0:03 in [\d.]+ s$/m);
  const entries = jsonLines((await workplace.koma("library", "list", "--json")).stdout);
  const entry = entries.find(({ anime }) => anime.titleRomaji === "Colour Bars");
  expect(entry.anime.anilistId).toBe(7);
  expect(entry.episodes).toMatchObject([{ season: 2, number: "13.5", state: "ready" }]);
});
