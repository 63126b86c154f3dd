import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeVideo, type FfmpegTools, findFfmpeg } from "@koma/media";
import { afterAll, beforeAll, expect, test } from "vitest";
// What starts worker threads is loaded from the build.
import { runQuality } from "../../dist/quality/run-quality.js";
import { createColourLayoutSystem } from "../../dist/quality/systems/colour-layout-system.js";
import { drawScene } from "../../src/quality/distractors/draw-scene.ts";
import { createDrawText, findScripts } from "../../src/quality/drawing/text.ts";
import { createFilmAccess } from "../../src/quality/pictures/film-access.ts";
import { findFilms, workOf } from "../../src/quality/pictures/find-films.ts";
import { isTellingPicture } from "../../src/quality/pictures/is-telling-picture.ts";
import { pickFrames } from "../../src/quality/pictures/pick-frames.ts";
import { planStrangers } from "../../src/quality/pictures/strangers.ts";
import { surveyFilm } from "../../src/quality/pictures/survey-film.ts";
import { parseQualityOptions } from "../../src/quality/quality-options.ts";
import { createRandom } from "../../src/quality/random.ts";
import { resize } from "../../src/quality/raster/geometry.ts";
import { createRaster, decodeRaster } from "../../src/quality/raster/raster.ts";
import { buildReport } from "../../src/quality/report/build-report.ts";
import { showFailures } from "../../src/quality/report/show-failures.ts";

const [width, height, framesPerSecond, secondsPerScene] = [320, 180, 8, 2];
const { signal } = new AbortController();
const silent = () => ({ update() {}, end() {} });
let tools: FfmpegTools;
let folder: string;

beforeAll(async () => {
  tools = await findFfmpeg();
  folder = await mkdtemp(join(tmpdir(), "koma-quality-test-"));
  await mkdir(join(folder, "films", "Two"), { recursive: true });
  for (const name of ["One - 01.mp4", "One - 02.mp4", "Two/Two S01E01.mkv"]) await drawFilm(name, 4);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Scenes of two seconds each with a black second before them. */
async function drawFilm(name: string, scenes: number): Promise<void> {
  async function* frames() {
    for (let i = 0; i < framesPerSecond; i++) yield createRaster(width, height).pixels;
    for (let scene = 0; scene < scenes; scene++)
      for (let i = 0; i < framesPerSecond * secondsPerScene; i++)
        yield drawScene(`${name} ${scene}`, width, height).pixels;
  }
  const outputFile = join(folder, "films", name);
  await encodeVideo(tools, { width, height, framesPerSecond, frames: frames(), outputFile });
}

test("films are found in folders; parts of one work are told by their names", async () => {
  const films = await findFilms(join(folder, "films"));
  expect(films.map(({ name, work }) => [name, work])).toEqual([
    ["One - 01.mp4", "one"],
    ["One - 02.mp4", "one"],
    [join("Two", "Two S01E01.mkv"), "two"],
  ]);
  expect(workOf("/x/Big Film (2008).mkv")).toBe("big film");
  expect(workOf("/x/[Group] Show_Name - 12v2 [1080p].mkv")).toBe("show name");
});

test("frames are telling ones, with their true times", async () => {
  const access = createFilmAccess(tools, signal);
  const [film] = await findFilms(join(folder, "films"));
  if (film === undefined) throw new Error("no film");
  const survey = await surveyFilm(access, film, () => {});
  expect(survey.atSeconds).toHaveLength(framesPerSecond * (1 + 4 * secondsPerScene));
  expect(survey.atSeconds[20]).toBeCloseTo(20 / framesPerSecond, 3);
  expect(survey.isTelling.slice(0, framesPerSecond)).not.toContain(true);
  const picked = await pickFrames(access, [survey], 6, createRandom("pick"), () => {});
  expect(picked).toHaveLength(6);
  for (const { atSeconds } of picked) expect(atSeconds).toBeGreaterThanOrEqual(1);
  const again = await pickFrames(access, [survey], 6, createRandom("pick"), () => {});
  expect(again.map((frame) => frame.atSeconds)).toEqual(picked.map((frame) => frame.atSeconds));
});

test("black, flat and text-only pictures are not telling", async () => {
  expect(isTellingPicture(createRaster(64, 64))).toBe(false);
  expect(isTellingPicture(createRaster(64, 64, [90, 120, 200]))).toBe(false);
  const text = createDrawText(await findScripts());
  const kinds = ["black", "one colour", "text only"];
  for (const { family, index, make } of planStrangers(6, { seed: "telling", text })) {
    if (!kinds.includes(family)) continue;
    const small = await resize(await decodeRaster(await make()), 320, 180, "cubic");
    expect([family, index, isTellingPicture(small)]).toEqual([family, index, false]);
  }
  const telling = Array.from({ length: 40 }, (_, i) => isTellingPicture(drawScene(`telling ${i}`, 320, 180)));
  expect(telling.filter(Boolean).length).toBeGreaterThan(25);
});

test("a run: clean pictures found, works kept out counted apart, everything in the reports", async () => {
  const args = ["--films", join(folder, "films"), "--pictures", "4", "--no-koma", "--distractors", "100"];
  const command = parseQualityOptions([...args, "--families", "clean-jpeg,png,mirrored,social-post"]);
  const access = createFilmAccess(tools, signal);
  const result = await runQuality(access, [createColourLayoutSystem()], command, silent, signal);
  const { json, text, renderHtml } = buildReport(command, result);
  const byFamily = new Map(json.summaries.map((summary) => [summary.family, summary]));
  expect(byFamily.get("clean-jpeg")).toMatchObject({ known: 4, rank1: 1, strangers: 2, falseConfident: 0 });
  expect(byFamily.get("png")).toMatchObject({ known: 4, rank1: 1 });
  expect(byFamily.get("text only")).toMatchObject({ known: 0, rank1: null, strangers: 2 });
  expect(result.films.filter((film) => film.isHeldOut).length).toBeGreaterThan(0);
  const keptOut = result.films.filter((film) => film.isHeldOut).map((film) => join(command.films, film.name));
  for (const answer of result.answers.filter(({ truths, family }) => truths.length === 0 && family === "png"))
    for (const { file } of answer.found) expect(keptOut).not.toContain(file);

  const files = new Set(result.films.map((film) => join(command.films, film.name)));
  const failures = await showFailures(access, result.failures, files, () => {});
  expect(failures).toHaveLength(result.failures.length);
  const html = renderHtml(failures);
  expect(html.match(/class="failure"/g) ?? []).toHaveLength(failures.length);
  expect(html).not.toMatch(/(src|href)="(?!data:)/);
  expect(text).toContain("screenshot of a social-media post");

  const again = await runQuality(access, [createColourLayoutSystem()], command, silent, signal);
  const places = (run: typeof result) => run.answers.map((answer) => answer.found);
  expect(places(again)).toEqual(places(result));
});

test("wrong arguments are refused", () => {
  const parse = (...args: string[]) => parseQualityOptions(["--films", "x", ...args]);
  expect(parse("--pictures", "7", "--baseline")).toMatchObject({
    pictures: 7,
    baseline: true,
    koma: true,
    seed: "1",
  });
  expect(() => parse("--pictures", "many")).toThrow("whole number");
  expect(() => parse("--families", "png,nonsense")).toThrow("nonsense");
  expect(() => parseQualityOptions([])).toThrow("--films");
});
