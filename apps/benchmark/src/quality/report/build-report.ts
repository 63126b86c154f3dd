import type { QualityCommand } from "../quality-options.ts";
import type { QualityResult } from "../run-quality.ts";
import { fitWeights } from "../scoring/fit-weights.ts";
import { findRank, findTimeError } from "../scoring/question-result.ts";
import { measureReliability } from "../scoring/reliability.ts";
import { type Summary, summarise, summariseAll } from "../scoring/summary.ts";
import { transformations } from "../transformations/transformation-list.ts";
import { renderHtmlReport, type ShownFailure } from "./html-report.ts";
import { formatReliability, formatSummaries } from "./terminal-report.ts";

/**
 * Builds the output of a run: summary lines, tables for the terminal, JSON, and the page (after failures are
 * drawn).
 */
export function buildReport(command: QualityCommand, result: QualityResult) {
  const systems = [...new Set(result.results.map((questionResult) => questionResult.system))];
  const of = (system: string) => result.results.filter((questionResult) => questionResult.system === system);
  const totals = systems.map((system): Summary => summarise(of(system), system, "all"));
  const summaries = [...inOrder(summariseAll(result.results)), ...totals];
  const reliability = systems.map((system) => ({ system, curve: measureReliability(of(system)) }));
  const titles = new Map([
    ...transformations.map(({ name, title }) => [name, title] as const),
    ["all", "ALL"] as const,
  ]);
  const fit = command.fit ? fitWeights(result.results) : undefined;
  const facts = listFacts(command, result);
  return {
    facts: facts.map(([name, value]) => `${name}: ${value}`).join("\n"),
    text: [
      formatSummaries(summaries, titles),
      ...reliability.map(({ system, curve }) => `Reliability of ${system}\n${formatReliability(curve)}`),
      ...(fit === undefined ? [] : [`Weights: ${JSON.stringify(fit, null, 2)}`]),
    ].join("\n\n"),
    json: {
      options: { images: command.images, seed: command.seed, distractors: command.distractors },
      videos: result.videos,
      sizes: result.sizes,
      scripts: result.scripts,
      summaries,
      reliability,
      ...(fit === undefined ? {} : { weights: fit }),
      results: result.results.map((questionResult) => ({
        ...questionResult,
        rank: findRank(questionResult) ?? null,
        timeErrorSeconds: findTimeError(questionResult) ?? null,
      })),
    },
    renderHtml: (failures: readonly ShownFailure[]): string =>
      renderHtmlReport({ facts, summaries, titles, reliability, examples: result.examples, failures }),
  };
}

function listFacts(command: QualityCommand, { videos, scripts, sizes }: QualityResult): [string, string][] {
  const frames = videos.reduce((sum, video) => sum + video.frames, 0);
  const outside = videos.filter((video) => video.isHeldOut).map((video) => video.name);
  return [
    ["Videos", `${videos.length} with ${frames.toLocaleString("en")} frames`],
    ["Held out at first", outside.join(", ") || "none"],
    ["Drawn frames added", command.distractors.toLocaleString("en")],
    ...sizes.map(({ system, frames, memoryBytes }): [string, string] => [
      `Memory of ${system}`,
      `${(memoryBytes / Math.max(1, frames)).toFixed(0)} bytes per stored frame, ${frames.toLocaleString("en")} frames`,
    ]),
    ["Seed", command.seed],
    [
      "Latin text",
      scripts.latin ? "written with a font" : "drawn as strokes: no installed font has its letters",
    ],
    [
      "Japanese text",
      scripts.japanese ? "written with a font" : "drawn as strokes: no installed font has its letters",
    ],
    ["Emoji", "drawn"],
  ];
}

/** Orders known transformations as in their list, then the kinds of negatives. */
function inOrder(summaries: Summary[]): Summary[] {
  const rankOf = ({ transformation }: Summary) => {
    const index = transformations.findIndex(({ name }) => name === transformation);
    return index < 0 ? transformations.length : index;
  };
  return summaries.sort((a, b) => rankOf(a) - rankOf(b));
}
