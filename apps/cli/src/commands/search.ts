import type { Configuration } from "@koma/config";
import { matchLimit } from "@koma/contract/match-limit";
import { Command, InvalidArgumentError } from "commander";
import type { CommandContext } from "../command-context.ts";
import { readConfiguration } from "../config.ts";
import type { SearchChoices } from "../search/search-line.ts";

type Options = { limit: number; anime?: string; json?: true };

/** `koma search FILE…|URL…` */
export function createSearchCommand(context: CommandContext): Command {
  return new Command("search")
    .summary("Find the scenes of images.")
    .description(
      "Finds the scenes of images and short videos in the library: the anime, the episode and the second.",
    )
    .argument(
      "<image...>",
      "JPEG, PNG, WebP, GIF, AVIF, BMP, MP4 or WebM files, or http(s) URLs of such files",
    )
    .option("-n, --limit <number>", `matches per image, 1 to ${matchLimit}`, limit, matchLimit)
    .option("--anime <id|title>", "search in this anime only")
    .option("--json", "print one JSON line per image, in the order of the arguments")
    .addHelpText("after", examples)
    .action(async (images: string[], options: Options) => {
      const { anime, json = false, ...rest } = options;
      const search = { ...rest, anime, json, signal: context.signal };
      const configuration = readConfiguration();
      const { KOMA_API_URL: baseUrl, KOMA_API_KEY: apiKey } = configuration;
      const isGood =
        baseUrl === undefined
          ? await searchHere(configuration, images, search)
          : await searchThere({ baseUrl, apiKey }, images, search);
      if (!isGood) context.finish(1);
    });
}

const examples = `
Examples:
  koma search screenshot.jpg
  koma search --json frames/*.png > found.jsonl
  koma search https://example.com/image.jpg

Of a video (at most 10 MiB and 60 s) the frame with most detail is searched; "queryFrame" has its time.

With KOMA_API_URL, the search uses that Koma instead of the library of this machine, with the API key in KOMA_API_KEY.

A JSON line is { "query", "outcome", "matches" } with the fields of the REST API, and "file", the name of the video file,
or { "query", "error": { "code", "detail" } }. Exit code 1: an image could not be searched.`;

async function searchHere(
  configuration: Configuration,
  images: readonly string[],
  search: SearchChoices,
): Promise<boolean> {
  const { startSearchThreads } = await import("@koma/library/search-threads");
  const threads = await startSearchThreads({
    dataDir: configuration.KOMA_DATA_DIR,
    index: configuration.KOMA_INDEX,
    engineWorkers: configuration.KOMA_ENGINE_WORKERS,
    images: images.length,
  });
  try {
    // These imports take as long as the start of the threads.
    const { searchLocally } = await import("../search/search-locally.ts");
    return await searchLocally(threads, images, search);
  } finally {
    await threads.close();
  }
}

async function searchThere(
  api: { baseUrl: string; apiKey: string | undefined },
  images: readonly string[],
  search: SearchChoices,
): Promise<boolean> {
  const { searchRemotely } = await import("../search/search-remotely.ts");
  return await searchRemotely(api, images, search);
}

function limit(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= matchLimit) return value;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${matchLimit}.`);
}
