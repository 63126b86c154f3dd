import { Command } from "commander";
import { parseCount, resolveUserPath } from "../run-command.ts";

export type TimesCommand = {
  videos: string[];
  /** Episodes of each drawn series, and their length. */
  drawn: number;
  seconds: number;
  images: number;
  seed: string;
  work: string;
  /** Whether the shares are stored in the repository, for `npm run results`. */
  result: boolean;
};

/**
 * Parses the arguments of `npm run bench:times`. Prints the problem of wrong usage and throws CommanderError.
 */
export function parseTimesOptions(args: readonly string[]): TimesCommand {
  return new Command("bench:times")
    .description("Measures how exactly the time of a frame is found in drawn episodes and films.")
    .option("--videos <paths...>", "video files to add to the drawn episodes", collectPath, [])
    .option("--drawn <count>", "drawn episodes of each of two series", parseCount, 2)
    .option("--seconds <count>", "length of a drawn episode", parseCount, 240)
    .option("--images <count>", "times per video, each in five edits", parseCount, 40)
    .option("--seed <text>", "another seed draws other times and edits", "1")
    .requiredOption("--work <folder>", "store drawn episodes and Koma's database here", resolveUserPath)
    .option("--result", "store the shares in the repository, for `npm run results`", false)
    .exitOverride()
    .parse([...args], { from: "user" })
    .opts<TimesCommand>();
}

function collectPath(value: string, paths: readonly string[]): string[] {
  return [...paths, resolveUserPath(value)];
}
