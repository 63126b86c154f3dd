import { copyFile, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createWorkplace, drawFilm } from "./koma.ts";

let workplace: Awaited<ReturnType<typeof createWorkplace>>;
beforeEach(async () => {
  workplace = await createWorkplace();
  await mkdir(workplace.path("films"));
  await drawFilm(workplace.path("films/Test Card - 01.mp4"), { source: "testsrc2", seconds: 4 });
});
afterEach(() => workplace.remove());

const events = (stdout: string) =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

test("prints events as JSON lines and the summary last; a broken film gives exit code 1", async () => {
  await writeFile(workplace.path("films/Broken - 01.mp4"), "no film");
  const { code, stdout } = await workplace.koma("index", "--json", "films");
  const lines = events(stdout);
  expect(code).toBe(1);
  expect(lines[0]).toMatchObject({ kind: "discovered", files: 2 });
  expect(lines.at(-1)).toMatchObject({ kind: "summary", files: 2, indexed: 1, failed: 1 });
  expect(lines.find((line) => line.kind === "failed").file).toBe(workplace.path("films/Broken - 01.mp4"));
  const again = await workplace.koma("index", "films");
  expect(again.stdout).toMatch(/^2 films: 1 unchanged, 1 failed\.$/m);
});

test("takes title, season, episode and AniList id from the command line", async () => {
  const args = ["--title", "Colour Bars", "--season", "2", "--episode", "13.5", "--anilist-id", "7"];
  expect((await workplace.koma("index", ...args, "films/Test Card - 01.mp4")).code).toBe(0);
  const [entry] = events((await workplace.koma("library", "list", "--json")).stdout);
  expect(entry.anime).toMatchObject({ titleRomaji: "Colour Bars", anilistId: 7 });
  expect(entry.episodes).toMatchObject([{ season: 2, number: "13.5", state: "ready" }]);
});

test("watches: films that arrive, are replaced or are still being written", async () => {
  const run = workplace.start(["index", "--watch", "--json", "films"]);
  await run.printed(/"kind":"summary"/);
  await drawFilm(workplace.path("next.mp4"), { source: "mandelbrot", seconds: 4 });
  await copyFile(workplace.path("next.mp4"), workplace.path("films/Apple Man - 01.mp4"));
  await run.printed(/"kind":"indexed","file":"[^"]*Apple Man - 01\.mp4"/);
  await rename(workplace.path("films/Apple Man - 01.mp4"), workplace.path("films/Apple Man - 02.mp4"));
  await run.printed(/"kind":"moved","file":"[^"]*Apple Man - 02\.mp4"/);
  await drawFilm(workplace.path("films/Test Card - 01.mp4"), { source: "smptebars", seconds: 5 });
  await run.printed(/"kind":"indexed","file":"[^"]*Test Card - 01\.mp4"[^\n]*"durationSeconds":5/);
  await rm(workplace.path("films/Apple Man - 02.mp4"));
  run.child.kill("SIGINT");
  expect((await run.ended).code).toBe(130);
  expect(events((await workplace.koma("library", "list", "--json")).stdout)).toHaveLength(2);
});

test("an interruption ends it soon with nothing half done, and the next run goes on", async () => {
  await drawFilm(workplace.path("films/Long - 01.mp4"), { source: "testsrc2", seconds: 240 });
  const run = workplace.start(["index", "films"]);
  await run.printed(/Long - 01\.mp4 …/);
  run.child.kill("SIGTERM");
  const { code, stdout } = await run.ended;
  expect([code, stdout]).toEqual([143, expect.stringContaining("run the same command again to go on")]);
  const again = await workplace.koma("index", "films");
  expect([again.code, again.stdout]).toEqual([0, expect.stringMatching(/^2 films: .*indexed/)]);
  expect((await workplace.koma("library", "verify")).code).toBe(0);
});
