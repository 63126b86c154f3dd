import { createRandom } from "@koma/testing/drawing";
import { createDrawText, findScripts, type Scripts } from "./drawing/text.ts";
import { planAbsentImages } from "./images/absent-images.ts";
import { findVideos } from "./images/find-videos.ts";
import { pickFrames } from "./images/pick-frames.ts";
import { planQuestions, type Question } from "./images/question.ts";
import { type SurveyedVideo, surveyVideo } from "./images/survey-video.ts";
import type { VideoAccess } from "./images/video-access.ts";
import type { QuestionResult } from "./scoring/question-result.ts";
import type { IndexSize, System } from "./systems/system.ts";
import { transformations } from "./transformations/transformation-list.ts";

export type QualityOptions = {
  /** Folder of the videos. */
  videos: string;
  /** Images per transformation from indexed videos; half as many from held-out works. */
  images: number;
  seed: string;
  distractors: number;
  /** Transformations to search, by name. */
  transformations: readonly string[];
  /** Images that are in no video, in addition to those of held-out works. */
  absent: number;
  /** Folder of videos that are never indexed; a part of these images are of them. */
  others: string | undefined;
};

export type QualityResult = {
  sizes: ({ system: string } & IndexSize)[];
  videos: { name: string; frames: number; isHeldOut: boolean }[];
  scripts: Scripts;
  results: QuestionResult[];
};

/** Reports the progress of a step. */
export type Report = (label: string) => {
  update: (done: number, total: number, note?: string) => void;
  end: () => void;
};

/**
 * Searches the same images in every system: first images of the held-out set while about half of the works
 * are not indexed; then, with all videos indexed, images of all videos and of none.
 */
export async function runQuality(
  access: VideoAccess,
  systems: readonly System[],
  options: QualityOptions,
  report: Report,
  signal: AbortSignal,
): Promise<QualityResult> {
  const { images, seed } = options;
  const surveyed = await surveyVideos(access, options.videos, report);
  const heldOut = holdOut(surveyed, seed);
  const saved = surveyed.filter((video) => !heldOut.includes(video));
  const scripts = await findScripts();
  const text = createDrawText(scripts);
  const selected = transformations.filter(({ name }) => options.transformations.includes(name));

  const pickFrom = async (videos: SurveyedVideo[], count: number, name: string) => {
    const bar = report(`Frames ${name}`);
    const random = createRandom(`${seed}/frames ${name}`);
    const pool = await pickFrames(access, videos, count, random, (done) => bar.update(done, count));
    bar.end();
    return pool;
  };
  const pool = await pickFrom(surveyed, images * 3, "to search");
  const outside = Math.ceil(images / 2);
  const heldOutPool = await pickFrom(heldOut, outside * 3, "of held-out works");
  const known = planQuestions(selected, pool, images, { seed, text });
  const unknown = planQuestions(selected, heldOutPool, outside, { seed: `${seed}/kept out`, text }).map(
    (question): Question => ({ ...question, truths: [] }),
  );
  const others = options.others === undefined ? [] : await surveyVideos(access, options.others, report);
  const absent = planAbsentImages(options.absent, {
    seed,
    text,
    others: await pickFrom(others, Math.ceil(options.absent / 5), "of other videos"),
    transformations: selected,
  });

  const result: QualityResult = {
    sizes: [],
    videos: surveyed.map((video) => ({
      name: video.name,
      frames: video.atSeconds.length,
      isHeldOut: heldOut.includes(video),
    })),
    scripts,
    results: [],
  };
  const ask = async (questions: readonly Question[], label: string): Promise<void> => {
    const bar = report(label);
    for (const [done, question] of questions.entries()) {
      signal.throwIfAborted();
      await askAll(systems, question, result);
      bar.update(done + 1, questions.length, question.transformation);
    }
    bar.end();
  };
  if (options.distractors > 0)
    await forEachSystem(systems, "Drawn frames", report, (system, onProgress) =>
      system.addDistractors(options.distractors, onProgress),
    );
  await forEachSystem(systems, "Indexing", report, (system, onProgress) => system.index(saved, onProgress));
  await ask(unknown, "Images of held-out works");
  await forEachSystem(systems, "Indexing", report, (system, onProgress) => system.index(heldOut, onProgress));
  await ask([...known, ...absent], "Images of indexed videos and of none");
  result.sizes = systems.map((system) => ({ system: system.name, ...system.size() }));
  return result;
}

async function askAll(
  systems: readonly System[],
  { make, transformation, index, truths }: Question,
  { results }: QualityResult,
): Promise<void> {
  const image = await make();
  for (const system of systems) {
    const startCpu = process.cpuUsage();
    const { found, outcome } = await system.search(image);
    const { user, system: kernel } = process.cpuUsage(startCpu);
    const cpuMilliseconds = (user + kernel) / 1000;
    results.push({ system: system.name, transformation, index, truths, found, outcome, cpuMilliseconds });
  }
}

async function surveyVideos(access: VideoAccess, folder: string, report: Report): Promise<SurveyedVideo[]> {
  const surveyed: SurveyedVideo[] = [];
  const videos = await findVideos(folder);
  const bar = report("Reading videos");
  for (const [done, video] of videos.entries()) {
    const onFrame = (atSeconds: number) =>
      bar.update(done, videos.length, `${video.name} ${Math.floor(atSeconds)} s`);
    surveyed.push(await surveyVideo(access, video, onFrame));
  }
  bar.end();
  return surveyed.filter((video) => video.isInformative.includes(true));
}

/** Selects half of the works at random, at least one; none when there is only one. */
function holdOut(videos: readonly SurveyedVideo[], seed: string): SurveyedVideo[] {
  const works = [...new Set(videos.map((video) => video.work))];
  const chosen = createRandom(`${seed}/kept out`)
    .shuffle(works)
    .slice(0, Math.floor(works.length / 2));
  return videos.filter((video) => chosen.includes(video.work));
}

async function forEachSystem(
  systems: readonly System[],
  label: string,
  report: Report,
  work: (system: System, onProgress: (done: number, total: number) => void) => Promise<void>,
): Promise<void> {
  for (const system of systems) {
    const bar = report(`${label} (${system.name})`);
    await work(system, bar.update);
    bar.end();
  }
}
