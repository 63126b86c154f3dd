import { relative, resolve } from "node:path";
import type { Configuration } from "@koma/config";
import {
  type IndexEvent,
  type IndexOptions,
  type Library,
  type NameDoubt,
  previewNames,
  type QueueSummary,
  videoExtensions,
} from "@koma/library";
import { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { createIndexReport } from "../indexing/index-report.ts";
import { retryUntilStored } from "../indexing/retry-until-stored.ts";
import { serveIndexingMetrics } from "../indexing/serve-indexing-metrics.ts";
import { watchVideos } from "../indexing/watch-videos.ts";
import { formatCount } from "../terminal/format.ts";
import { formatTable, printable } from "../terminal/table.ts";
import { writeJsonLine } from "../terminal/write-json-line.ts";
import { withLibrary } from "../with-library.ts";
import { positiveInteger, wholeNumber } from "./whole-number.ts";

type Options = {
  jobs?: number;
  title?: string;
  season?: number;
  episode?: string;
  anilistId?: number;
  force?: true;
  fast?: true;
  watch?: true;
  dryRun?: true;
  queue?: true;
  priority?: number;
  verbose?: true;
  json?: true;
};

/** `koma index PATH…` */
export function createIndexCommand(context: CommandContext): Command {
  return new Command("index")
    .summary("Index videos.")
    .description(
      "Synchronises the library with video files: new videos are indexed, changed ones replaced, moved ones recognised and unchanged ones skipped. Folders are searched recursively. An interrupted run is continued by the next one.",
    )
    .argument("<path...>", `videos, or folders with videos (${[...videoExtensions].join(" ")})`)
    .option("-j, --jobs <number>", "number of videos indexed at the same time", positiveInteger)
    .option("--title <title>", "title of the anime; overrides the names of files and folders")
    .option("--season <number>", "season; overrides the names of files and folders", wholeNumber)
    .option("--episode <number>", 'episode; overrides the file name ("3", "13.5", "OVA 2")')
    .option("--anilist-id <id>", "AniList id of the anime", positiveInteger)
    .option("--force", "index unchanged videos again")
    .option("--fast", "skip the frames that no other frame depends on (most B frames)")
    .option("--dry-run", "print how the videos would be named, doubtful ones first, and index nothing")
    .option("--watch", "keep running and index new and changed videos; deleted videos stay in the library")
    .option("--queue", "put the videos into the queue of `koma worker` instead of indexing them here")
    .option("--priority <number>", "with --queue: higher numbers are indexed first; default 0", wholeNumber)
    .option("--verbose", "print what ffmpeg says about a video that cannot be indexed")
    .option("--json", "print one JSON line per event; the last line is the summary")
    .addHelpText("after", examples)
    .action(async (paths: string[], options: Options, command: Command) => {
      if (options.priority !== undefined && options.queue !== true)
        command.error("error: --priority needs --queue");
      if (options.dryRun === true) {
        if (!(await showNames(paths, options, context.signal))) context.finish(1);
        return;
      }
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
  koma index ~/Anime --dry-run
  koma index ~/Anime --watch
  koma index /mnt/anime --queue

A folder whose name has digits only is an AniList id. Exit code 1: a video failed.`;

async function indexVideos(
  library: Library,
  configuration: Configuration,
  { paths: inputPaths, options, signal }: { paths: string[]; options: Options; signal: AbortSignal },
): Promise<boolean> {
  const paths = inputPaths.map((path) => resolve(path));
  const { watch: isWatching, json: isJson, queue: isQueued, verbose, priority, ...indexOptions } = options;
  // A run without --watch ends before Prometheus has collected anything of use.
  const served =
    isWatching === true && isQueued !== true ? await serveIndexingMetrics(configuration) : undefined;
  let isFirst = true;
  const report = createIndexReport({ isJson: isJson === true, isVerbose: verbose === true });
  const onEvent = (event: IndexEvent) => {
    served?.metrics.onEvent(event);
    report.event(event);
  };
  const queue = async (videos: string[], postpone?: IndexOptions["postpone"]): Promise<boolean> => {
    const summary = await library.queuePaths(videos, { ...indexOptions, postpone, priority, signal });
    await reportQueued(summary, isJson === true);
    return summary.problems.length === 0;
  };
  const index = async (videos: string[], postpone?: IndexOptions["postpone"]): Promise<boolean> => {
    if (isQueued === true) return await queue(videos, postpone);
    const summary = await library.indexPaths(videos, { ...indexOptions, postpone, signal, onEvent });
    served?.metrics.endRun();
    // A video that is still being written is left for later.
    if (isFirst || summary.files + summary.failed > 0) report.summary(summary);
    isFirst = false;
    return summary.failed === 0;
  };
  try {
    if (isWatching !== true) return await index(paths);
    let isGood = true;
    await watchVideos(paths, {
      signal,
      index: async (videos, postpone) => {
        if (!(await retryUntilStored(() => index(videos, postpone), { report: report.warning, signal })))
          isGood = false;
        if (!signal.aborted) report.line("Watching for videos; press Ctrl-C to stop.");
      },
      report: (sentence) => report.warning(printable(sentence)),
    });
    return isGood;
  } finally {
    report.close();
    await served?.close();
  }
}

/** Returns false when a path cannot be read. */
async function showNames(paths: string[], options: Options, signal: AbortSignal): Promise<boolean> {
  const { title, season, episode, anilistId, json: isJson } = options;
  const fixed = { title, season, episode, anilistId, signal };
  const { names, problems } = await previewNames(
    paths.map((path) => resolve(path)),
    fixed,
  );
  for (const { file, problem } of problems) {
    process.stderr.write(`failed   ${printable(file)}: ${printable(problem)}\n`);
  }
  if (isJson === true) {
    for (const name of names) await writeJsonLine({ kind: "name", ...name });
  } else if (names.length > 0) {
    const rows = names.map((name) => [
      name.title,
      name.season ?? "",
      name.number ?? "",
      name.doubts.map((doubt) => doubtTexts[doubt]).join(", "),
      relative(process.cwd(), name.file),
    ]);
    process.stdout.write(`${formatTable(["title", "season", "episode", "to check", "file"], rows)}\n`);
  }
  return problems.length === 0;
}

const doubtTexts: Record<NameDoubt, string> = {
  same_number: "same episode as another video",
  without_number: "no number",
  other_title: "another title than most of its folder",
};

async function reportQueued(summary: QueueSummary, isJson: boolean): Promise<void> {
  if (isJson) return await writeJsonLine({ kind: "summary", ...summary });
  for (const { file, problem } of summary.problems) {
    process.stderr.write(`failed   ${printable(file)}: ${printable(problem)}\n`);
  }
  const { files, queued, skipped, dead } = summary;
  const failed = dead > 0 ? `, ${dead} failed before (\`koma library queue\`)` : "";
  process.stdout.write(`${formatCount(files, "video")}: ${queued} queued, ${skipped} unchanged${failed}.\n`);
}
