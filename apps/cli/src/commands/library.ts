import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { FolderNaming } from "@koma/library";
import { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { formatEntries, formatEntry, formatNames } from "../library/entry-tables.ts";
import { findEntry, getEntry } from "../library/find-entry.ts";
import { formatCount } from "../terminal/format.ts";
import { showCounts, withBar } from "../terminal/progress.ts";
import { printable } from "../terminal/table.ts";
import { writeJsonLine } from "../terminal/write-json-line.ts";
import { withLibrary } from "../with-library.ts";
import { createLibraryDescribeCommand } from "./library-describe.ts";
import { createLibraryExportCommand, createLibraryImportCommand } from "./library-packs.ts";
import { createLibraryQueueCommand, createLibraryStatusCommand } from "./library-queue.ts";
import { wholeNumber } from "./whole-number.ts";
import { type JsonOptions, withJson } from "./with-json.ts";

/** `koma library status|list|show|rename|remove|export|import|describe|rebuild|verify|queue` */
export function createLibraryCommand(context: CommandContext): Command {
  return new Command("library")
    .summary("Manage the indexed videos.")
    .description("Lists, shows, names, removes, exchanges and verifies the indexed videos.")
    .addCommand(createLibraryStatusCommand())
    .addCommand(createList())
    .addCommand(createShow())
    .addCommand(createRename())
    .addCommand(createRemove())
    .addCommand(createLibraryExportCommand(context))
    .addCommand(createLibraryImportCommand(context))
    .addCommand(createLibraryDescribeCommand(context))
    .addCommand(createRebuild(context))
    .addCommand(createVerify(context))
    .addCommand(createLibraryQueueCommand());
}

function createList(): Command {
  return withJson(new Command("list").description("Lists all anime of the library with their ids.")).action(
    async (options: JsonOptions) => {
      const entries = await withLibrary((library) => library.list());
      if (options.json) for (const entry of entries) await writeJsonLine(entry);
      else if (entries.length === 0)
        process.stdout.write("The library is empty: add videos with `koma index PATH`.\n");
      else process.stdout.write(`${formatEntries(entries)}\n`);
    },
  );
}

function createShow(): Command {
  return withJson(new Command("show").description("Shows one anime with all its episodes, or one episode."))
    .argument(
      "<id|title>",
      "id or title of an anime, or id of an episode; write `--` before an id that begins with -",
    )
    .action(async (idOrTitle: string, options: JsonOptions) => {
      const entry = await withLibrary((library) => getEntry(library, idOrTitle));
      if (options.json) await writeJsonLine(entry);
      else process.stdout.write(`${formatEntry(entry)}\n`);
    });
}

function createRename(): Command {
  return withJson(
    new Command("rename").description(
      "Names all indexed videos of a folder, or one video. Later runs keep the names; the files stay as they are.",
    ),
  )
    .argument("<path>", "folder, or video")
    .option("--title <title>", "title of the anime")
    .option("--season <number>", "season", wholeNumber)
    .option(
      "--first-episode <number>",
      "number of the first video; the others follow in the order of their names",
      wholeNumber,
    )
    .action(async (path: string, options: JsonOptions & FolderNaming, command: Command) => {
      const { json: isJson, ...naming } = options;
      if (Object.keys(naming).length === 0 || naming.title?.trim() === "")
        command.error("error: expected --title, --season or --first-episode");
      const renamed = await withLibrary(async (library) => {
        const ids = (await library.renameFolder(path, naming)).map(({ id }) => id);
        const entries = await library.list();
        return entries.flatMap(({ anime, episodes }) =>
          episodes.filter(({ id }) => ids.includes(id)).map((episode) => ({ anime, episode })),
        );
      });
      if (isJson) {
        for (const { anime, episode } of renamed) {
          const { id, path: file, season, number } = episode;
          await writeJsonLine({ id, path: file, animeId: anime.id, season, number });
        }
      } else if (renamed.length === 0) process.stdout.write("No episode matches.\n");
      else process.stdout.write(`${formatNames(renamed)}\n`);
    });
}

function createRemove(): Command {
  return withJson(
    new Command("remove").description("Removes episodes from the library; the video files stay."),
  )
    .argument(
      "[what...]",
      "ids or titles of anime, ids of episodes, or paths of videos or folders; write `--` before an id that begins with -",
    )
    .option("--sample", "the sample library")
    .action(async (what: string[], options: JsonOptions & { sample?: true }, command: Command) => {
      if (what.length > 0 === (options.sample === true)) {
        command.error("error: expected ids, titles or paths, or --sample alone");
      }
      const removed = await withLibrary(async (library) => {
        if (options.sample) return await library.remove({ sample: true });
        const ids: string[] = [];
        const paths: string[] = [];
        for (const name of what) {
          const entry = await (isPath(name) ? findEntry(library, name) : getEntry(library, name));
          if (entry === undefined) paths.push(resolve(name));
          else ids.push(...entry.episodes.map((episode) => episode.id));
        }
        return [
          ...(ids.length > 0 ? await library.remove({ ids }) : []),
          ...(paths.length > 0 ? await library.remove({ paths }) : []),
        ];
      });
      if (options.json) for (const { id, path } of removed) await writeJsonLine({ id, path });
      else if (removed.length === 0) process.stdout.write("No episode matches.\n");
      else process.stdout.write(`${formatCount(removed.length, "episode")} removed.\n`);
    });
}

function createRebuild(context: CommandContext): Command {
  return withJson(
    new Command("rebuild").description(
      "Builds the search index again from the stored descriptors; reads no videos.",
    ),
  ).action(async (options: JsonOptions) => {
    const built = await withBar("Rebuilding the index", (bar) =>
      withLibrary((library) => library.rebuild({ onProgress: showCounts(bar), signal: context.signal })),
    );
    if (options.json) return await writeJsonLine(built);
    process.stdout.write(
      `The index is built: ${formatCount(built.frames, "frame")} of ${formatCount(built.episodes, "episode")}.\n`,
    );
  });
}

function createVerify(context: CommandContext): Command {
  return withJson(
    new Command("verify").description(
      "Checks that videos, descriptors and index are consistent; changes nothing.",
    ),
  )
    .addHelpText("after", "\nExit code 1: a problem was found.")
    .action(async (options: JsonOptions) => {
      const report = await withBar("Checking the library", (bar) =>
        withLibrary((library) => library.verify({ onProgress: showCounts(bar), signal: context.signal })),
      );
      if (report.problems.length > 0) context.finish(1);
      if (options.json) return await writeJsonLine(report);
      for (const { file, detail } of report.problems) {
        process.stdout.write(`${file === null ? "" : `${printable(file)}: `}${printable(detail)}\n`);
      }
      process.stdout.write(
        `${formatCount(report.episodes, "episode")}, ${formatCount(report.frames, "frame")}: ${
          report.problems.length === 0 ? "no problems" : formatCount(report.problems.length, "problem")
        }.\n`,
      );
    });
}

/** Whether an argument may be a path: ids have no separators and no dots. */
function isPath(name: string): boolean {
  return /[/\\.]/.test(name) || existsSync(name);
}
