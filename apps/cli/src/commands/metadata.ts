import { resolve } from "node:path";
import { createImageFetch, publicNetwork } from "@koma/image-fetch";
import { type CoverResult, imageLimits, type Library } from "@koma/library";
import { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { withBar } from "../terminal/progress.ts";
import { printable } from "../terminal/table.ts";
import { writeJsonLine } from "../terminal/write-json-line.ts";
import { withLibrary } from "../with-library.ts";

type Options = { json?: true; covers: boolean };
type Result = { matched: number; unmatched: string[]; covers?: CoverResult };
type Listeners = {
  onProgress: (progress: { done: number; total: number }) => void;
  onWait: (seconds: number) => void;
};

/** `koma metadata import FILE`, `koma metadata sync` */
export function createMetadataCommand(context: CommandContext): Command {
  const command = new Command("metadata")
    .summary("Complete titles, years, covers and ids of the indexed anime.")
    .description(
      "Completes the metadata of the indexed anime: titles, year, format, cover, AniList and MyAnimeList ids.",
    );
  command
    .command("import")
    .description(
      "Imports metadata from a file of anime-offline-database (JSON or JSON lines), matched by title.",
    )
    .argument("<file>", "the downloaded database file")
    .option("--no-covers", "do not download covers")
    .option("--json", "print the result as one JSON line")
    .action((file: string, options: Options) =>
      complete(options, ({ onProgress }) =>
        withLibrary(async (library) => {
          const result = await library.importMetadata(resolve(file), { onProgress, signal: context.signal });
          return { ...result, ...(await fetchCovers(library, options)) };
        }),
      ),
    );
  command
    .command("sync")
    .description("Fetches metadata from AniList for anime without metadata.")
    .option("--endpoint <url>", "URL of another GraphQL API with the schema of AniList")
    .option("--no-covers", "do not download covers")
    .option("--json", "print the result as one JSON line")
    .action((options: Options & { endpoint?: string }) =>
      complete(options, (listeners) =>
        withLibrary(async (library) => {
          const { endpoint } = options;
          const result = await library.syncMetadata({ endpoint, ...listeners, signal: context.signal });
          return { ...result, ...(await fetchCovers(library, options)) };
        }),
      ),
    );
  return command;

  async function fetchCovers(library: Library, { covers }: Options): Promise<Pick<Result, "covers">> {
    if (!covers) return {};
    const fetchImage = createImageFetch({
      network: publicNetwork,
      limitBytes: imageLimits.bytes,
      timeoutMs: 15_000,
      userAgent: "Koma",
    });
    const fetchCover = (address: string, signal: AbortSignal) => fetchImage(address, { signal });
    return { covers: await library.fetchCovers(fetchCover, { signal: context.signal }) };
  }
}

async function complete(options: Options, work: (listeners: Listeners) => Promise<Result>): Promise<void> {
  const result = await withBar("Completing metadata", (bar, progress) =>
    work({
      onProgress: ({ done, total }) => bar.update(done, total),
      onWait: (seconds) =>
        progress.line(`AniList limits requests; the next one is sent in ${Math.ceil(seconds)} s.`),
    }),
  );
  if (options.json) return await writeJsonLine(result);
  process.stdout.write(`${result.matched} anime completed.\n`);
  if (result.covers !== undefined && result.covers.stored + result.covers.failed > 0) {
    const { stored, failed } = result.covers;
    const retry = failed === 0 ? "" : `, ${failed} failed; the next run tries them again`;
    process.stdout.write(`Covers: ${stored} stored${retry}.\n`);
  }
  if (result.unmatched.length > 0) {
    process.stdout.write(
      `Nothing was found for:\n${result.unmatched.map((title) => `  ${printable(title)}\n`).join("")}`,
    );
  }
}
