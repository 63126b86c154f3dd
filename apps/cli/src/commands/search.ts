import { createClient } from "@koma/client";
import { matchLimit } from "@koma/contract";
import type { Library } from "@koma/library";
import { Command, InvalidArgumentError } from "commander";
import type { CommandContext } from "../command-context.ts";
import { CommandError } from "../command-error.ts";
import { readConfiguration } from "../config.ts";
import { getEntry } from "../library/find-entry.ts";
import { openImage } from "../search/open-image.ts";
import { type SearchLine, toSearchLine } from "../search/search-line.ts";
import { searchRemotely } from "../search/search-remotely.ts";
import { formatSearchLine } from "../search/search-table.ts";
import { withBar } from "../terminal/progress.ts";
import { writeJsonLine } from "../terminal/write-json-line.ts";
import { withLibrary } from "../with-library.ts";

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
      const { KOMA_API_URL: baseUrl, KOMA_API_KEY: apiKey } = readConfiguration();
      const { signal } = context;
      const isGood =
        baseUrl === undefined
          ? await withLibrary((library) => search(library, images, options, signal), {
              images: images.length,
            })
          : await printLines(
              searchRemotely(createClient({ baseUrl, apiKey }), images, {
                limit: options.limit,
                anime: options.anime,
                signal,
              }),
              options,
            );
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

// No request waits for the result, unlike in the API.
const videoTimeoutMs = 120_000;

const emptyLibrary =
  "the library is empty: add videos with `koma index PATH`, or the sample library with `koma prepare`.";

async function search(
  library: Library,
  queries: string[],
  options: Options,
  signal: AbortSignal,
): Promise<boolean> {
  const librarySearch = await withBar("Opening the library", (bar) =>
    library.openSearch({
      follow: false,
      videoTimeoutMs,
      signal,
      onProgress: ({ done, total }) => bar.update(done, total),
    }),
  );
  try {
    if (!librarySearch.isReady()) {
      const error = { code: "not_ready" as const, detail: emptyLibrary };
      if (options.json) for (const query of queries) await writeJsonLine({ query, error });
      throw new CommandError(emptyLibrary);
    }
    const animeId =
      options.anime === undefined ? undefined : (await getEntry(library, options.anime)).anime.id;
    const images = queries.map((query) => openImage(query, signal));
    const outcomes = librarySearch.searchMany(images, {
      limit: options.limit,
      animeId,
      signal,
    });
    const lines = (async function* () {
      for await (const found of outcomes) yield toSearchLine(found);
    })();
    return await printLines(lines, options);
  } finally {
    await librarySearch.close();
  }
}

/** False when an image could not be searched. */
async function printLines(lines: AsyncIterable<SearchLine>, { json }: Options): Promise<boolean> {
  let isGood = true;
  for await (const line of lines) {
    if ("error" in line) isGood = false;
    if (json) await writeJsonLine(line);
    else process.stdout.write(`${formatSearchLine(line)}\n\n`);
  }
  return isGood;
}

function limit(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= matchLimit) return value;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${matchLimit}.`);
}
