import type { DescribeSummary, QueueSummary } from "@koma/library";
import { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { createIndexReport } from "../indexing/index-report.ts";
import { getEntry } from "../library/find-entry.ts";
import { formatCount } from "../terminal/format.ts";
import { writeJsonLine } from "../terminal/write-json-line.ts";
import { withLibrary } from "../with-library.ts";
import { positiveInteger } from "./whole-number.ts";

const upToDate = "All episodes are described by this version.";

type Options = { anime?: string; jobs?: number; queue?: true; json?: true };

/** `koma library describe` */
export function createLibraryDescribeCommand(context: CommandContext): Command {
  return new Command("describe")
    .description(
      "Describes the episodes again that an earlier version of Koma described. They stay searchable meanwhile, and keep their names. An interrupted run is continued by the next one; an episode without its video keeps what it has.",
    )
    .option("--anime <id|title>", "only the episodes of this anime")
    .option("-j, --jobs <number>", "number of videos described at the same time", positiveInteger)
    .option("--queue", "put the episodes into the queue of `koma worker` instead, after new videos")
    .option("--json", "print one JSON line per event; the last line is the summary")
    .addHelpText("after", "\nExit code 1: a video failed.")
    .action(async ({ anime, jobs, queue, json }: Options) => {
      const failed = await withLibrary(async (library) => {
        const animeId = anime === undefined ? undefined : (await getEntry(library, anime)).anime.id;
        if (queue === true) {
          const queued = await library.queueOutdated({ animeId, signal: context.signal });
          if (json === true) await writeJsonLine({ kind: "summary", ...queued });
          else process.stdout.write(`${describeQueued(queued)}\n`);
          return 0;
        }
        const report = createIndexReport({ isJson: json === true, describeSummary });
        try {
          const { signal } = context;
          const done = await library.describeEpisodes({ animeId, jobs, signal, onEvent: report.event });
          report.summary(done);
          return done.failed;
        } finally {
          report.close();
        }
      });
      if (failed > 0) context.finish(1);
    });
}

function describeQueued({ files, queued, skipped }: QueueSummary): string {
  if (files === 0) return upToDate;
  const present = skipped > 0 ? `, ${skipped} in the queue already` : "";
  return `${formatCount(files, "episode")}: ${queued} queued${present}.`;
}

function describeSummary(summary: DescribeSummary): string {
  if (summary.files === 0) return upToDate;
  const parts = [
    summary.indexed > 0 ? `${summary.indexed} described (${formatCount(summary.frames, "frame")})` : "",
    summary.skipped > 0 ? `${summary.skipped} described by another process` : "",
    summary.missing > 0 ? `${summary.missing} without a video, which keep their data` : "",
    summary.failed > 0 ? `${summary.failed} failed` : "",
    summary.isStopped ? "stopped before the end; run the same command again to continue" : "",
  ].filter((part) => part !== "");
  return `${formatCount(summary.files, "episode")}: ${parts.join(", ")}.`;
}
