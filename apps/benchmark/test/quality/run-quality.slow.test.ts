import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FfmpegTools, findFfmpeg } from "@koma/media";
import { createRandom, encodeVideo } from "@koma/testing/drawing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { drawScene } from "../../src/quality/distractors/draw-scene.ts";
import { drawPage } from "../../src/quality/drawing/svg.ts";
import { createDrawText, findScripts } from "../../src/quality/drawing/text.ts";
import { planAbsentImages } from "../../src/quality/images/absent-images.ts";
import { findVideos, workOf } from "../../src/quality/images/find-videos.ts";
import { isInformativeImage } from "../../src/quality/images/is-informative-image.ts";
import { pickFrames } from "../../src/quality/images/pick-frames.ts";
import { surveyVideo } from "../../src/quality/images/survey-video.ts";
import { createVideoAccess } from "../../src/quality/images/video-access.ts";
import { parseQualityOptions } from "../../src/quality/quality-options.ts";
import { createRaster } from "../../src/quality/raster/raster.ts";
import { buildReport } from "../../src/quality/report/build-report.ts";
// Functions that start worker threads are loaded from the build.
import { runQuality } from "../../src/quality/run-quality.ts";
import { createColourLayoutSystem } from "../../src/quality/systems/colour-layout-system.ts";
import { transformations } from "../../src/quality/transformations/transformation-list.ts";

const [width, height, framesPerSecond, secondsPerScene] = [320, 180, 8, 2];
const { signal } = new AbortController();
const silent = () => ({ update() {}, end() {} });
let tools: FfmpegTools;
let folder: string;

beforeAll(async () => {
  tools = await findFfmpeg();
  folder = await mkdtemp(join(tmpdir(), "koma-quality-test-"));
  await mkdir(join(folder, "films", "Two"), { recursive: true });
  for (const name of ["One - 01.mp4", "One - 02.mp4", "Two/Two S01E01.mkv"]) await drawVideo(name, 4);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Draws a video of scenes of two seconds each with a black second before them. */
async function drawVideo(name: string, scenes: number): Promise<void> {
  async function* frames() {
    for (let i = 0; i < framesPerSecond; i++) yield createRaster(width, height).pixels;
    for (let scene = 0; scene < scenes; scene++) {
      const { pixels } = drawScene(`${name} ${scene}`, width, height);
      for (let i = 0; i < framesPerSecond * secondsPerScene; i++) yield pixels;
    }
  }
  const outputFile = join(folder, "films", name);
  await encodeVideo(tools, { width, height, framesPerSecond, frames: frames(), outputFile });
}

test("findVideos finds videos in folders and their works by name", async () => {
  const videos = await findVideos(join(folder, "films"));
  expect(videos.map(({ name, work }) => [name, work])).toEqual([
    ["One - 01.mp4", "one"],
    ["One - 02.mp4", "one"],
    [join("Two", "Two S01E01.mkv"), "two"],
  ]);
  expect(workOf("/x/Big Film (2008).mkv")).toBe("big film");
  expect(workOf("/x/[Group] Show_Name - 12v2 [1080p].mkv")).toBe("show name");
});

test("pickFrames returns informative frames with their exact times", async () => {
  const access = createVideoAccess(tools, signal);
  const [video] = await findVideos(join(folder, "films"));
  if (video === undefined) throw new Error("no film");
  const survey = await surveyVideo(access, video, () => {});
  expect(survey.atSeconds).toHaveLength(framesPerSecond * (1 + 4 * secondsPerScene));
  expect(survey.atSeconds[20]).toBeCloseTo(20 / framesPerSecond, 3);
  expect(survey.isInformative.slice(0, framesPerSecond)).not.toContain(true);
  const picked = await pickFrames(access, [survey], 3, createRandom("pick"), () => {});
  expect(picked).toHaveLength(3);
  for (const { atSeconds } of picked) expect(atSeconds).toBeGreaterThanOrEqual(1);
  const again = await pickFrames(access, [survey], 3, createRandom("pick"), () => {});
  expect(again.map((frame) => frame.atSeconds)).toEqual(picked.map((frame) => frame.atSeconds));
});

test("black, flat and text-only images are not informative", async () => {
  expect(isInformativeImage(createRaster(64, 64))).toBe(false);
  expect(isInformativeImage(createRaster(64, 64, [90, 120, 200]))).toBe(false);
  const text = createDrawText(await findScripts());
  const line = text("A title card", { x: 160, y: 95, size: 22, fill: "#f2f2f2", anchor: "middle" });
  expect(isInformativeImage(await drawPage(320, 180, "#0a0a0a", line))).toBe(false);
  const informative = Array.from({ length: 40 }, (_, i) =>
    isInformativeImage(drawScene(`telling ${i}`, 320, 180)),
  );
  expect(informative.filter(Boolean).length).toBeGreaterThan(25);
});

test("a run finds clean images, counts held-out works separately and reports everything", async () => {
  const args = ["--videos", join(folder, "films"), "--images", "2", "--distractors", "20"];
  const others = ["--others", join(folder, "films", "Two"), "--absent", "5"];
  const command = parseQualityOptions([
    ...args,
    ...others,
    "--transformations",
    "clean-jpeg,png,social-post",
  ]);
  const access = createVideoAccess(tools, signal);
  const result = await runQuality(access, [createColourLayoutSystem()], command, silent, signal);
  const { json, text } = buildReport(command, result);
  const byTransformation = new Map(json.summaries.map((summary) => [summary.transformation, summary]));
  expect(byTransformation.get("clean-jpeg")).toMatchObject({
    known: 2,
    rank1: 1,
    negatives: 1,
    falseConfident: 0,
  });
  expect(byTransformation.get("png")).toMatchObject({ known: 2, rank1: 1 });
  expect(byTransformation.get("absent: other video")).toMatchObject({ known: 0, rank1: null, negatives: 1 });
  expect(result.videos.filter((video) => video.isHeldOut).length).toBeGreaterThan(0);
  const heldOut = result.videos
    .filter((video) => video.isHeldOut)
    .map((video) => join(command.videos, video.name));
  for (const questionResult of result.results.filter(
    ({ truths, transformation }) => truths.length === 0 && transformation === "png",
  ))
    for (const { file } of questionResult.found) expect(heldOut).not.toContain(file);

  expect(text).toContain("social-post");
});

test("absent images have equal shares of each kind and the same content again", async () => {
  const text = createDrawText(await findScripts());
  const plan = () => planAbsentImages(8, { seed: "absent", text, others: [], transformations });
  const countOf = (kind: string) => plan().filter(({ transformation }) => transformation === kind).length;
  for (const kind of ["drawn scene", "text page", "user interface", "photo"])
    expect(countOf(`absent: ${kind}`)).toBe(2);
  for (const [at, { make, truths }] of plan().entries()) {
    expect(truths).toEqual([]);
    expect((await make()).equals((await plan()[at]?.make()) ?? Buffer.alloc(0))).toBe(true);
  }
});

test("rejects wrong arguments", () => {
  const parse = (...args: string[]) => parseQualityOptions(["--videos", folder, ...args]);
  expect(parse("--images", "7", "--baseline")).toMatchObject({
    images: 7,
    baseline: true,
    seed: "1",
  });
  expect(parse("--transformations", "partial,png").transformations).toContain("fifth-area");
  expect(parse().transformations).not.toContain("fifth-area");
  expect(() => parse("--images", "many")).toThrow("an integer");
  expect(() => parse("--transformations", "png,nonsense")).toThrow("nonsense");
  expect(() => parseQualityOptions([])).toThrow("--videos");
  expect(() => parseQualityOptions(["--videos", join(folder, "missing")])).toThrow("There is no folder");
  expect(parse("--out", "report").out).toBe(join(process.env.INIT_CWD ?? process.cwd(), "report"));
});
