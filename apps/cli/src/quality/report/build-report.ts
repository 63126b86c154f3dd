import { families } from "../families/family-list.ts";
import type { QualityCommand } from "../quality-options.ts";
import type { QualityResult } from "../run-quality.ts";
import { findRank, findTimeError } from "../scoring/answer.ts";
import { fitJudgement } from "../scoring/fit-judgement.ts";
import { measureReliability } from "../scoring/reliability.ts";
import { type Summary, summarise, summariseAll } from "../scoring/summary.ts";
import { renderHtmlReport, type ShownFailure } from "./html-report.ts";
import { formatReliability, formatSummaries } from "./terminal-report.ts";

/** All that is told of a run: lines of facts, tables for the terminal, JSON, and the page (once failures are drawn). */
export function buildReport(command: QualityCommand, result: QualityResult) {
  const systems = [...new Set(result.answers.map((answer) => answer.system))];
  const of = (system: string) => result.answers.filter((answer) => answer.system === system);
  const totals = systems.map((system): Summary => summarise(of(system), system, "all"));
  const summaries = [...inOrder(summariseAll(result.answers)), ...totals];
  const reliability = systems.map((system) => ({ system, curve: measureReliability(of(system)) }));
  const titles = new Map([
    ...families.map(({ name, title }) => [name, title] as const),
    ["all", "ALL"] as const,
  ]);
  const fit = command.fit ? fitJudgement(result.answers) : undefined;
  const facts = listFacts(command, result);
  return {
    facts: facts.map(([name, value]) => `${name}: ${value}`).join("\n"),
    text: [
      formatSummaries(summaries, titles),
      ...reliability.map(({ system, curve }) => `Reliability of ${system}\n${formatReliability(curve)}`),
      ...(fit === undefined ? [] : [`judgement: ${JSON.stringify(fit)}`]),
    ].join("\n\n"),
    json: {
      options: { pictures: command.pictures, seed: command.seed, distractors: command.distractors },
      films: result.films,
      scripts: result.scripts,
      summaries,
      reliability,
      ...(fit === undefined ? {} : { judgement: fit }),
      answers: result.answers.map((answer) => ({
        ...answer,
        rank: findRank(answer) ?? null,
        timeErrorSeconds: findTimeError(answer) ?? null,
      })),
    },
    renderHtml: (failures: readonly ShownFailure[]): string =>
      renderHtmlReport({ facts, summaries, titles, reliability, examples: result.examples, failures }),
  };
}

function listFacts(command: QualityCommand, { films, scripts }: QualityResult): [string, string][] {
  const frames = films.reduce((sum, film) => sum + film.frames, 0);
  const outside = films.filter((film) => film.isHeldOut).map((film) => film.name);
  return [
    ["Films", `${films.length} with ${frames.toLocaleString("en")} frames`],
    ["Kept out at first", outside.join(", ") || "none"],
    ["Drawn frames added", command.distractors.toLocaleString("en")],
    ["Seed", command.seed],
    ["Latin text", scripts.latin ? "written with a font" : "drawn as strokes: no font here has its letters"],
    [
      "Japanese text",
      scripts.japanese ? "written with a font" : "drawn as strokes: no font here has its letters",
    ],
    ["Emoji", "drawn"],
  ];
}

/** Known edit families in the order of their list, then the kinds of strangers. */
function inOrder(summaries: Summary[]): Summary[] {
  const place = ({ family }: Summary) => {
    const index = families.findIndex(({ name }) => name === family);
    return index < 0 ? families.length : index;
  };
  return summaries.sort((a, b) => place(a) - place(b));
}
