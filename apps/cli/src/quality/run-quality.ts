import { createDrawText, findScripts, type Scripts } from "./drawing/text.ts";
import { families } from "./families/family-list.ts";
import type { FilmAccess } from "./pictures/film-access.ts";
import { findFilms } from "./pictures/find-films.ts";
import { pickFrames } from "./pictures/pick-frames.ts";
import { planQuestions, type Question } from "./pictures/question.ts";
import { planStrangers } from "./pictures/strangers.ts";
import { type SurveyedFilm, surveyFilm } from "./pictures/survey-film.ts";
import { createRandom } from "./random.ts";
import { createThumbnail } from "./report/thumbnail.ts";
import { type Answer, isFailure } from "./scoring/answer.ts";
import type { System } from "./systems/system.ts";

export type QualityOptions = {
  /** Folder of the films. */
  films: string;
  /** Pictures of each family from films in the library; half as many from works that are kept out. */
  pictures: number;
  seed: string;
  distractors: number;
  /** Families to ask for by name; all when empty. */
  families: readonly string[];
};

/** A small picture for the report. */
type Shown = { family: string; index: number; thumbnail: Buffer };

export type QualityResult = {
  films: { name: string; frames: number; isHeldOut: boolean }[];
  scripts: Scripts;
  answers: Answer[];
  /** The first picture of each family. */
  examples: Shown[];
  failures: { answer: Answer; thumbnail: Buffer }[];
};

/** Tells how far a step of the work is. */
export type Report = (label: string) => {
  update: (done: number, total: number, note?: string) => void;
  end: () => void;
};

/**
 * Asks every system the same pictures: first, while about half of the works are kept out of the library, pictures of
 * those; then, with all films in it, pictures of all films and of none.
 */
export async function runQuality(
  access: FilmAccess,
  systems: readonly System[],
  options: QualityOptions,
  report: Report,
  signal: AbortSignal,
): Promise<QualityResult> {
  const { pictures, seed } = options;
  const surveyed = await surveyFilms(access, options.films, report);
  const heldOut = holdOut(surveyed, seed);
  const kept = surveyed.filter((film) => !heldOut.includes(film));
  const scripts = await findScripts();
  const text = createDrawText(scripts);
  const asked = families.filter(
    ({ name }) => options.families.length === 0 || options.families.includes(name),
  );

  const pickFrom = async (films: SurveyedFilm[], count: number, name: string) => {
    const bar = report(`Frames ${name}`);
    const random = createRandom(`${seed}/frames ${name}`);
    const pool = await pickFrames(access, films, count, random, (done) => bar.update(done, count));
    bar.end();
    return pool;
  };
  const pool = await pickFrom(surveyed, pictures * 3, "to search for");
  const outside = Math.ceil(pictures / 2);
  const heldOutPool = await pickFrom(heldOut, outside * 3, "of works kept out");
  const known = planQuestions(asked, pool, pictures, { seed, text });
  const unknown = planQuestions(asked, heldOutPool, outside, { seed: `${seed}/kept out`, text });
  const strangers = planStrangers(outside, { seed, text });

  const result: QualityResult = {
    films: surveyed.map((film) => ({
      name: film.name,
      frames: film.atSeconds.length,
      isHeldOut: heldOut.includes(film),
    })),
    scripts,
    answers: [],
    examples: [],
    failures: [],
  };
  const ask = async (questions: readonly Question[], label: string, isKnown: boolean): Promise<void> => {
    const bar = report(label);
    for (const [done, question] of questions.entries()) {
      signal.throwIfAborted();
      await askAll(systems, isKnown ? question : { ...question, truths: [] }, result);
      bar.update(done + 1, questions.length, question.family);
    }
    bar.end();
  };
  if (options.distractors > 0)
    await forEachSystem(systems, "Drawn frames", report, (system, onProgress) =>
      system.addDistractors(options.distractors, onProgress),
    );
  if (unknown.length > 0) {
    await forEachSystem(systems, "Indexing", report, (system, onProgress) => system.index(kept, onProgress));
    await ask(unknown, "Pictures of works kept out", false);
  }
  const rest = unknown.length > 0 ? heldOut : surveyed;
  await forEachSystem(systems, "Indexing", report, (system, onProgress) => system.index(rest, onProgress));
  await ask(known, "Pictures of films in the library", true);
  await ask(strangers, "Pictures of no film", false);
  return result;
}

async function askAll(systems: readonly System[], question: Question, result: QualityResult): Promise<void> {
  const picture = await question.make();
  const { family, index, truths } = question;
  const thumbnail = createThumbnail(picture);
  if (index === 0 && !result.examples.some((example) => example.family === family))
    result.examples.push({ family, index, thumbnail: await thumbnail });
  for (const system of systems) {
    const start = performance.now();
    const found = await system.search(picture);
    const milliseconds = performance.now() - start;
    const answer: Answer = { system: system.name, family, index, truths, found, milliseconds };
    result.answers.push(answer);
    if (isFailure(answer)) result.failures.push({ answer, thumbnail: await thumbnail });
  }
  await thumbnail;
}

async function surveyFilms(access: FilmAccess, folder: string, report: Report): Promise<SurveyedFilm[]> {
  const surveyed: SurveyedFilm[] = [];
  const films = await findFilms(folder);
  const bar = report("Reading films");
  for (const [done, film] of films.entries()) {
    const onFrame = (atSeconds: number) =>
      bar.update(done, films.length, `${film.name} ${Math.floor(atSeconds)} s`);
    surveyed.push(await surveyFilm(access, film, onFrame));
  }
  bar.end();
  return surveyed.filter((film) => film.isTelling.includes(true));
}

/** Half of the works by chance, at least one; none when there is only one. */
function holdOut(films: readonly SurveyedFilm[], seed: string): SurveyedFilm[] {
  const works = [...new Set(films.map((film) => film.work))];
  const chosen = createRandom(`${seed}/kept out`)
    .shuffle(works)
    .slice(0, Math.floor(works.length / 2));
  return films.filter((film) => chosen.includes(film.work));
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
