import { Command, InvalidArgumentError } from "commander";
import type { QualityOptions } from "./run-quality.ts";
import { transformations } from "./transformations/transformation-list.ts";

export type QualityCommand = QualityOptions & {
  baseline: boolean;
  koma: boolean;
  /** Folder for Koma's database and index, kept for the next run; a temporary one when undefined. */
  work: string | undefined;
  out: string | undefined;
  json: boolean;
  /** Tell which weights of the judgement fit these answers. */
  fit: boolean;
};

/** The arguments of `npm run bench:quality`. Throws CommanderError for wrong usage, after saying what is wrong. */
export function parseQualityOptions(args: readonly string[]): QualityCommand {
  const command = new Command("bench:quality")
    .description(
      "Measures how well scenes are found in pictures that people edited, photographed and shared.",
    )
    .requiredOption("--films, --videos <folder>", "films to index and to take pictures from")
    .option("--pictures, --images <count>", "pictures of each edit family", parseCount, 20)
    .option(
      "--families, --transformations <names>",
      "only these edit families, separated by commas",
      parseTransformations,
      [],
    )
    .option("--seed <text>", "another one gives other frames and edits", "1")
    .option("--distractors <count>", "drawn frames of no film to add", parseCount, 0)
    .option("--baseline", "compare with the colour layout descriptor of MPEG-7", false)
    .option("--no-koma", "measure the baseline alone")
    .option("--work <folder>", "keep Koma's database here, so that drawn frames need not be described again")
    .option("--out <folder>", "write quality.html and quality.json here")
    .option("--fit", "tell the judgement for the model's manifest that fits these pictures", false)
    .option("--json", "print JSON instead of tables", false)
    .exitOverride()
    .parse([...args], { from: "user" });
  const { work, out, ...options } = command.opts<QualityCommand>();
  return { ...options, work, out };
}

function parseCount(value: string): number {
  const count = Number(value);
  if (!/^\d+$/.test(value) || !Number.isSafeInteger(count))
    throw new InvalidArgumentError("It must be a whole number.");
  return count;
}

function parseTransformations(value: string): string[] {
  const names = value.split(",").map((name) => name.trim());
  const unknown = names.filter(
    (name) => !transformations.some((transformation) => transformation.name === name),
  );
  if (unknown.length > 0)
    throw new InvalidArgumentError(
      `Unknown: ${unknown.join(", ")}. There are ${transformations.map(({ name }) => name).join(", ")}.`,
    );
  return names;
}
