import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { CommandError } from "../command-error.ts";
import { formatEntries, formatEntry } from "../library/entry-tables.ts";
import { formatCount } from "../terminal/format.ts";
import { createProgress } from "../terminal/progress.ts";
import { printable } from "../terminal/table.ts";
import { writeJsonLine } from "../terminal/write-json-line.ts";
import { withLibrary } from "../with-library.ts";

type Options = { json?: true };

/** `koma library list|show|remove|rebuild|verify` */
export function createLibraryCommand(context: CommandContext): Command {
  return new Command("library")
    .summary("See and tend the indexed films.")
    .description("Shows and tends the indexed films.")
    .addCommand(createList())
    .addCommand(createShow())
    .addCommand(createRemove())
    .addCommand(createRebuild(context))
    .addCommand(createVerify(context));
}

function createList(): Command {
  return withJson(new Command("list").description("Lists all anime of the library with their ids.")).action(
    async (options: Options) => {
      const entries = await withLibrary((library) => library.list());
      if (options.json) for (const entry of entries) await writeJsonLine(entry);
      else if (entries.length === 0)
        process.stdout.write("The library is empty: add films with `koma index PATH`.\n");
      else process.stdout.write(`${formatEntries(entries)}\n`);
    },
  );
}

function createShow(): Command {
  return withJson(new Command("show").description("Shows one anime with all its episodes, or one episode."))
    .argument("<id>", "id of an anime or an episode")
    .action(async (id: string, options: Options) => {
      const entry = await withLibrary((library) => library.findEntry(id));
      if (entry === undefined) throw unknownId(id);
      if (options.json) await writeJsonLine(entry);
      else process.stdout.write(`${formatEntry(entry)}\n`);
    });
}

function createRemove(): Command {
  return withJson(
    new Command("remove").description("Forgets episodes; the films themselves are not touched."),
  )
    .argument("[what...]", "ids of anime or episodes, or paths of films or folders")
    .option("--sample", "the sample library")
    .action(async (what: string[], options: Options & { sample?: true }, command: Command) => {
      if (what.length > 0 === (options.sample === true)) {
        command.error("Say what to remove: ids, paths, or --sample alone.");
      }
      const removed = await withLibrary(async (library) => {
        if (options.sample) return await library.remove({ sample: true });
        const paths = what.filter((name) => isPath(name));
        const ids = what.filter((name) => !isPath(name));
        for (const id of ids) if ((await library.findEntry(id)) === undefined) throw unknownId(id);
        return [
          ...(ids.length > 0 ? await library.remove({ ids }) : []),
          ...(paths.length > 0 ? await library.remove({ paths: paths.map((path) => resolve(path)) }) : []),
        ];
      });
      if (options.json) for (const { id, path } of removed) await writeJsonLine({ id, path });
      else if (removed.length === 0) process.stdout.write("Nothing of it is in the library.\n");
      else process.stdout.write(`${formatCount(removed.length, "episode")} removed.\n`);
    });
}

function createRebuild(context: CommandContext): Command {
  return withJson(
    new Command("rebuild").description(
      "Builds the search index anew from the stored descriptors; needs no films.",
    ),
  ).action(async (options: Options) => {
    const built = await withBar("Rebuilding the index", (onProgress) =>
      withLibrary((library) => library.rebuild({ onProgress, signal: context.signal })),
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
      "Checks that films, descriptors and index fit together; changes nothing.",
    ),
  )
    .addHelpText("after", "\nExit code 1: something does not fit.")
    .action(async (options: Options) => {
      const report = await withBar("Checking the library", (onProgress) =>
        withLibrary((library) => library.verify({ onProgress, signal: context.signal })),
      );
      if (report.problems.length > 0) context.finish(1);
      if (options.json) return await writeJsonLine(report);
      for (const { file, detail } of report.problems) {
        process.stdout.write(`${file === null ? "" : `${printable(file)}: `}${printable(detail)}\n`);
      }
      process.stdout.write(
        `${formatCount(report.episodes, "episode")}, ${formatCount(report.frames, "frame")}: ${
          report.problems.length === 0 ? "all is well" : formatCount(report.problems.length, "problem")
        }.\n`,
      );
    });
}

function withJson(command: Command): Command {
  return command.option("--json", "print JSON lines");
}

/** Whether an argument means a path: ids have no separators and no dots. */
function isPath(name: string): boolean {
  return /[/\\.]/.test(name) || existsSync(name);
}

function unknownId(id: string): CommandError {
  return new CommandError(
    `nothing in the library has the id ${printable(id)}: \`koma library list\` shows what there is.`,
  );
}

async function withBar<Result>(
  label: string,
  work: (onProgress: (progress: { done: number; total: number }) => void) => Promise<Result>,
): Promise<Result> {
  const progress = createProgress();
  const bar = progress.open(label);
  try {
    return await work(({ done, total }) => bar.update(done, total, `${done}/${total}`));
  } finally {
    bar.end();
    progress.close();
  }
}
