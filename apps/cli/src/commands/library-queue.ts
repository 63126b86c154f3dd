import { Command } from "commander";
import { CommandError } from "../command-error.ts";
import { formatQueue, formatStatus } from "../library/queue-tables.ts";
import { formatCount } from "../terminal/format.ts";
import { writeJsonLine } from "../terminal/write-json-line.ts";
import { withLibrary } from "../with-library.ts";
import { type JsonOptions, withJson } from "./with-json.ts";

const shownVideos = 200;

/** `koma library queue [retry|pause|resume]` */
export function createLibraryQueueCommand(): Command {
  return withJson(
    new Command("queue").description(
      "Lists the videos that wait for workers, that are running, and that failed and are not tried again by themselves.",
    ),
  )
    .action(async (options: JsonOptions) => {
      const [counts, videos] = await withLibrary((library) =>
        Promise.all([
          library.queue.count(),
          library.queue.list({ limit: options.json ? 1_000_000 : shownVideos }),
        ]),
      );
      if (options.json) for (const video of videos) await writeJsonLine(video);
      else process.stdout.write(`${formatQueue(counts, videos)}\n`);
    })
    .addCommand(createRetry())
    .addCommand(
      createPause("pause", "Workers take no further video; running videos are indexed to their end."),
    )
    .addCommand(createPause("resume", "Workers take videos again."));
}

/** `koma library status` */
export function createLibraryStatusCommand(): Command {
  return withJson(
    new Command("status").description("Shows the totals of library and queue, and the workers."),
  ).action(async (options: JsonOptions) => {
    const status = await withLibrary((library) => library.status());
    if (options.json) await writeJsonLine(status);
    else process.stdout.write(`${formatStatus(status)}\n`);
  });
}

function createRetry(): Command {
  return withJson(
    new Command("retry").description("Puts failed videos back into the queue: all, or the one with this id."),
  )
    .argument("[id]", "id of `koma library queue`")
    .action(async (id: string | undefined, options: JsonOptions, command: Command) => {
      const videos = await withLibrary((library) => library.queue.retryDead(id));
      if (id !== undefined && videos === 0)
        throw new CommandError(`No failed video of the queue has the id ${id}.`);
      if (isJson(options, command)) return await writeJsonLine({ videos });
      process.stdout.write(`${formatCount(videos, "video")} queued again.\n`);
    });
}

function createPause(name: "pause" | "resume", description: string): Command {
  return new Command(name).description(description).action(async () => {
    await withLibrary((library) => library.queue.setPaused(name === "pause"));
    process.stdout.write(name === "pause" ? "The queue is paused.\n" : "The queue is running.\n");
  });
}

/** The parent command has the same option and takes its value. */
function isJson(options: JsonOptions, command: Command): boolean {
  return options.json === true || command.parent?.opts<JsonOptions>().json === true;
}
