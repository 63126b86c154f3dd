import { Command } from "commander";
import { parseCount, resolveUserPath } from "../run-command.ts";

export type CostCommand = {
  videos: string;
  images: number;
  warm: number;
  work: string;
};

/** Parses the arguments of `npm run bench:cost`. Prints the problem of wrong usage and throws CommanderError. */
export function parseCostOptions(args: readonly string[]): CostCommand {
  return new Command("bench:cost")
    .description("Measures the processor time of a search over HTTP in steady state, by thread. Linux only.")
    .requiredOption("--videos <folder>", "videos to index and to take images from", resolveUserPath)
    .option("--images <count>", "measured searches of frames, and of images of no video", parseCount, 120)
    .option("--warm <count>", "searches before", parseCount, 300)
    .requiredOption("--work <folder>", "store Koma's database here; a later run reuses it", resolveUserPath)
    .exitOverride()
    .parse([...args], { from: "user" })
    .opts<CostCommand>();
}
