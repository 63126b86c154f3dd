import { resolve } from "node:path";
import type { Configuration } from "@koma/config";
import type { IndexEvent, Library } from "@koma/library";
import { Command, InvalidArgumentError } from "commander";
import type { CommandContext } from "../command-context.ts";
import { createIndexReport } from "../indexing/index-report.ts";
import { serveIndexingMetrics } from "../indexing/serve-indexing-metrics.ts";
import { watchVideos } from "../indexing/watch-videos.ts";
import { withLibrary } from "../with-library.ts";

type Options = {
  jobs?: number;
  title?: string;
  season?: number;
  episode?: string;
  anilistId?: number;
  force?: true;
  watch?: true;
  json?: true;
};

/** `koma index PATH…` */
export function createIndexCommand(context: CommandContext): Command {
  return new Command("index")
    .summary("Index videos.")
    .description(
      "Synchronises the library with video files: new videos are indexed, changed ones replaced, moved ones recognised and unchanged ones skipped. Folders are searched recursively. An interrupted run is continued by the next one.",
    )
    .argument("<path...>", "videos, or folders with videos (.mp4 .mkv .webm .avi .mov .m4v .ts .gif)")
    .option("-j, --jobs <number>", "number of videos indexed at the same time", positiveInteger)
    .option("--title <title>", "title of the anime; overrides the names of files and folders")
    .option("--season <number>", "season; overrides the names of files and folders", wholeNumber)
    .option("--episode <number>", 'episode; overrides the file name ("3", "13.5", "OVA 2")')
    .option("--anilist-id <id>", "AniList id of the anime", positiveInteger)
    .option("--force", "index unchanged videos again")
    .option("--watch", "keep running and index new and changed videos; deleted videos stay in the library")
    .option("--json", "print one JSON line per event; the last line is the summary")
    .addHelpText("after", examples)
    .action(async (paths: string[], options: Options) => {
      const isGood = await withLibrary((library, configuration) =>
        indexVideos(library, configuration, { paths, options, signal: context.signal }),
      );
      if (!isGood) context.finish(1);
    });
}

const examples = `
Examples:
  koma index ~/Anime
  koma index "Some Film.mkv" --title "Some Film" --anilist-id 1
  koma index ~/Anime --watch

A folder whose name has digits only is an AniList id. Exit code 1: a video failed.`;

async function indexVideos(
  library: Library,
  configuration: Configuration,
  { paths: inputPaths, options, signal }: { paths: string[]; options: Options; signal: AbortSignal },
): Promise<boolean> {
  const paths = inputPaths.map((path) => resolve(path));
  const { watch: isWatching, json: isJson, ...indexOptions } = options;
  // A run without --watch ends before Prometheus has collected anything of use.
  const served = isWatching === true ? await serveIndexingMetrics(configuration) : undefined;
  const report = createIndexReport({ isJson: isJson === true });
  const onEvent = (event: IndexEvent) => {
    served?.metrics.onEvent(event);
    report.event(event);
  };
  const index = async (videos: string[]): Promise<boolean> => {
    const summary = await library.indexPaths(videos, { ...indexOptions, signal, onEvent });
    served?.metrics.endRun();
    report.summary(summary);
    return summary.failed === 0;
  };
  try {
    if (isWatching !== true) return await index(paths);
    let isGood = true;
    await watchVideos(paths, {
      signal,
      index: async (videos) => {
        if (!(await index(videos))) isGood = false;
        if (!signal.aborted) report.line("Watching for videos; press Ctrl-C to stop.");
      },
    });
    return isGood;
  } finally {
    report.close();
    await served?.close();
  }
}

function positiveInteger(text: string): number {
  const value = wholeNumber(text);
  if (value === 0) throw new InvalidArgumentError("It must be a whole number from 1.");
  return value;
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
}
