import type { Configuration } from "@koma/config";
import type { IndexEvent, Library, MappedRoot } from "@koma/library";
import { Command, InvalidArgumentError } from "commander";
import type { CommandContext } from "../command-context.ts";
import { createIndexReport } from "../indexing/index-report.ts";
import { serveIndexingMetrics } from "../indexing/serve-indexing-metrics.ts";
import { formatCount } from "../terminal/format.ts";
import { writeJsonLine } from "../terminal/write-json-line.ts";
import { withLibrary } from "../with-library.ts";
import { positiveInteger } from "./whole-number.ts";

type Options = { root?: MappedRoot[]; jobs?: number; drain?: true; json?: true };

/** `koma worker` */
export function createWorkerCommand(context: CommandContext): Command {
  return new Command("worker")
    .summary("Index the videos of the queue.")
    .description(
      "Takes videos from the queue of `koma index --queue` and indexes them. Any number of workers on machines with the same PostgreSQL share the queue. A stopped worker's videos go to another worker within 15 s. SIGTERM ends the worker; its videos return to the queue.",
    )
    .option(
      "--root <queued=local>",
      "the folder that the queueing machine sees as QUEUED is LOCAL here; may be repeated",
      addRoot,
    )
    .option("-j, --jobs <number>", "number of videos indexed at the same time", positiveInteger)
    .option("--drain", "end when no video waits or runs")
    .option("--json", "print one JSON line per event; the last line is the summary")
    .addHelpText("after", examples)
    .action(async (options: Options) => {
      await withLibrary((library, configuration) =>
        runWorker(library, configuration, { options, signal: context.signal }),
      );
    });
}

const examples = `
Examples:
  koma worker
  koma worker --root /mnt/anime=/data/anime --jobs 4

A worker with --root takes only videos in these folders. Failed videos: \`koma library queue\`.`;

async function runWorker(
  library: Library,
  configuration: Configuration,
  { options, signal }: { options: Options; signal: AbortSignal },
): Promise<void> {
  const { json: isJson, root: roots, jobs, drain } = options;
  const served = await serveIndexingMetrics(configuration, library.queue);
  const report = createIndexReport({ isJson: isJson === true });
  const onEvent = (event: IndexEvent) => {
    served?.metrics.onEvent(event);
    report.event(event);
  };
  try {
    if (drain !== true) report.line("The worker waits for videos; press Ctrl-C to stop.");
    const summary = await library.runWorker({ roots, jobs, drain, onEvent, signal });
    report.close();
    if (isJson) return await writeJsonLine({ kind: "summary", ...summary });
    const { name, done, retried, dead } = summary;
    process.stdout.write(
      `${name}: ${formatCount(done, "video")} done, ${retried} to be tried again, ${dead} failed.\n`,
    );
  } finally {
    report.close();
    await served?.close();
  }
}

function addRoot(text: string, before: MappedRoot[] = []): MappedRoot[] {
  const parts = text.split("=");
  const [queued, local] = parts;
  if (parts.length !== 2 || !queued || !local) {
    throw new InvalidArgumentError("It must be QUEUED=LOCAL, for example /mnt/anime=/data/anime.");
  }
  return [...before, { queued, local }];
}
