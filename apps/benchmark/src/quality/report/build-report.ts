import type { QualityCommand } from "../quality-options.ts";
import type { QualityResult } from "../run-quality.ts";
import { fitWeights } from "../scoring/fit-weights.ts";
import { findRank, findTimeError } from "../scoring/question-result.ts";
import { type Summary, summarise, summariseAll } from "../scoring/summary.ts";
import { transformations } from "../transformations/transformation-list.ts";
import { formatSummaries } from "./terminal-report.ts";

/** Builds the output of a run: facts and the table for the terminal, and JSON. */
export function buildReport(command: QualityCommand, result: QualityResult) {
  const systems = [...new Set(result.results.map((questionResult) => questionResult.system))];
  const of = (system: string) => result.results.filter((questionResult) => questionResult.system === system);
  const totals = systems.map((system): Summary => summarise(of(system), system, "all"));
  const summaries = [...inOrder(summariseAll(result.results)), ...totals];
  const fit = command.fit ? fitWeights(result.results) : undefined;
  return {
    text: [
      listFacts(command, result).join("\n"),
      formatSummaries(summaries),
      ...(fit === undefined ? [] : [`Weights: ${JSON.stringify(fit, null, 2)}`]),
    ].join("\n\n"),
    json: {
      options: { images: command.images, seed: command.seed, distractors: command.distractors },
      videos: result.videos,
      sizes: result.sizes,
      scripts: result.scripts,
      summaries,
      ...(fit === undefined ? {} : { weights: fit }),
      results: result.results.map((questionResult) => ({
        ...questionResult,
        rank: findRank(questionResult) ?? null,
        timeErrorSeconds: findTimeError(questionResult) ?? null,
      })),
    },
  };
}

function listFacts(command: QualityCommand, { videos, scripts, sizes }: QualityResult): string[] {
  const frames = videos.reduce((sum, video) => sum + video.frames, 0);
  const outside = videos.filter((video) => video.isHeldOut).map((video) => video.name);
  const scriptOf = (isInstalled: boolean) =>
    isInstalled ? "written with a font" : "drawn as strokes: no installed font has its letters";
  return [
    `Videos: ${videos.length} with ${frames.toLocaleString("en")} frames`,
    `Held out at first: ${outside.join(", ") || "none"}`,
    `Drawn frames added: ${command.distractors.toLocaleString("en")}`,
    ...sizes.map(
      ({ system, frames, memoryBytes }) =>
        `Memory of ${system}: ${(memoryBytes / Math.max(1, frames)).toFixed(0)} bytes per stored frame, ${frames.toLocaleString("en")} frames`,
    ),
    `Seed: ${command.seed}`,
    `Latin text: ${scriptOf(scripts.latin)}`,
    `Japanese text: ${scriptOf(scripts.japanese)}`,
  ];
}

/** Orders known transformations as in their list, then the kinds of absent images. */
function inOrder(summaries: Summary[]): Summary[] {
  const rankOf = ({ transformation }: Summary) => {
    const index = transformations.findIndex(({ name }) => name === transformation);
    return index < 0 ? transformations.length : index;
  };
  return summaries.sort((a, b) => rankOf(a) - rankOf(b));
}
