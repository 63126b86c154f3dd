import type { Library } from "@koma/library";
import { clipsFolder } from "@koma/sample-library";
import { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { CommandError } from "../command-error.ts";
import { createIndexReport } from "../indexing/index-report.ts";
import { writeExampleImage } from "../library/example-image.ts";
import { formatCount } from "../terminal/format.ts";
import { writeJsonLine } from "../terminal/write-json-line.ts";
import { withLibrary } from "../with-library.ts";

/** `koma prepare` */
export function createPrepareCommand(context: CommandContext): Command {
  return new Command("prepare")
    .summary("Prepare the database and the sample library.")
    .description(
      "Prepares the database. Adds the sample library when the library is empty and KOMA_SAMPLE_LIBRARY is not false. `npm start` runs this command.",
    )
    .option("--json", "print the result as one JSON line")
    .action(async (options: { json?: true }) => {
      const prepared = await prepare(context.signal);
      if (options.json) return await writeJsonLine(prepared);
      process.stdout.write(
        prepared.example
          ? `Ready. An example image: ${prepared.example}\n`
          : "Ready. The library is empty.\n",
      );
    });
}

/**
 * Resolves with the path of an image whose scene is in the library, null when the library is empty, and with the
 * number of episodes that can be described again here.
 */
async function prepare(signal: AbortSignal): Promise<{ example: string | null; outdated: number }> {
  return await withLibrary(
    async (library, configuration) => {
      if (configuration.KOMA_SAMPLE_LIBRARY) await ensureSampleLibrary(library, signal);
      const example = await writeExampleImage(library, { dataDir: configuration.KOMA_DATA_DIR, signal });
      return { example, outdated: (await library.hasFfmpeg()) ? await library.countDescribable() : 0 };
    },
    { signal },
  );
}

async function ensureSampleLibrary(library: Library, signal: AbortSignal): Promise<void> {
  const report = createIndexReport({ isJson: false });
  const startedAtMs = performance.now();
  let loaded = 0;
  try {
    const summary = await library.ensureSampleLibrary({
      clipsFolder,
      signal,
      onEvent(event) {
        if (event.kind === "indexed" && event.isLoaded) loaded += 1;
        else report.event(event);
      },
    });
    signal.throwIfAborted();
    if (loaded > 0) {
      const seconds = ((performance.now() - startedAtMs) / 1000).toFixed(1);
      report.line(`${formatCount(loaded, "sample episode")} loaded in ${seconds} s`);
    }
    const problem = summary?.problems[0]?.problem;
    if (problem !== undefined) throw new CommandError(`the sample library could not be indexed: ${problem}`);
  } finally {
    report.close();
  }
}
