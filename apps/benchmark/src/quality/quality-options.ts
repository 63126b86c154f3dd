import { statSync } from "node:fs";
import { Command, InvalidArgumentError } from "commander";
import { parseCount, resolveUserPath } from "../run-command.ts";
import type { QualityOptions } from "./run-quality.ts";
import { transformationSets, transformations } from "./transformations/transformation-list.ts";

export type QualityCommand = QualityOptions & {
  baseline: boolean;
  /** Folder for Koma's database and index, kept for the next run; a temporary one when undefined. */
  work: string | undefined;
  out: string | undefined;
  /** Prints the score weights that fit these results. */
  fit: boolean;
};

/**
 * Parses the arguments of `npm run bench:quality`. Prints the problem of wrong usage and throws
 * CommanderError.
 */
export function parseQualityOptions(args: readonly string[]): QualityCommand {
  const command = new Command("bench:quality")
    .description("Measures how well scenes are found in images that users edited, photographed and shared.")
    .requiredOption("--videos <folder>", "videos to index and to take images from", parseFolder)
    .option("--images <count>", "images per transformation", parseCount, 20)
    .option(
      "--transformations <names>",
      `transformations, or sets of them (${Object.keys(transformationSets).join(", ")}), separated by commas`,
      parseTransformations,
      parseTransformations("usual"),
    )
    .option("--seed <text>", "another seed selects other frames and edits", "1")
    .option("--distractors <count>", "drawn frames of no video to add", parseCount, 0)
    .option("--absent <count>", "images that are in no video, besides those of held-out works", parseCount, 0)
    .option("--others <folder>", "videos that are never indexed, for a part of these images", parseFolder)
    .option("--baseline", "compare with the colour layout descriptor of MPEG-7", false)
    .option(
      "--work <folder>",
      "store Koma's database here, so that drawn frames are described once",
      resolveUserPath,
    )
    .option("--out <folder>", "write quality.json here", resolveUserPath)
    .option("--fit", "print the score weights for the model's manifest that fit these images", false)
    .exitOverride()
    .parse([...args], { from: "user" });
  const { work, out, others, ...options } = command.opts<QualityCommand>();
  return { ...options, work, out, others };
}

function parseFolder(value: string): string {
  const folder = resolveUserPath(value);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return folder;
  throw new InvalidArgumentError(`There is no folder ${folder}.`);
}

function parseTransformations(value: string): string[] {
  const sets = new Map<string, readonly { name: string }[]>(Object.entries(transformationSets));
  const names = value
    .split(",")
    .map((name) => name.trim())
    .flatMap((name) => sets.get(name)?.map((transformation) => transformation.name) ?? name);
  const unknown = names.filter(
    (name) => !transformations.some((transformation) => transformation.name === name),
  );
  if (unknown.length > 0)
    throw new InvalidArgumentError(
      `Unknown: ${unknown.join(", ")}. There are ${transformations.map(({ name }) => name).join(", ")}.`,
    );
  return names;
}
