import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { openDownload, publicNetwork } from "@koma/image-fetch";
import type { ExportSummary, ImportSummary } from "@koma/library";
import { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { CommandError } from "../command-error.ts";
import { getEntry } from "../library/find-entry.ts";
import { formatCount, formatSize } from "../terminal/format.ts";
import { showCounts, withBar } from "../terminal/progress.ts";
import { writeJsonLine } from "../terminal/write-json-line.ts";
import { withLibrary } from "../with-library.ts";

/** 5 MB per episode; a larger library has several packs. */
const downloadLimitBytes = 64 * 1024 ** 3;
const idleMs = 60_000;
const secondsOfEpisode = 24 * 60;

type ExportOptions = { anime?: string[]; stills?: true; json?: true };
type Source = { name: string; totalBytes: number | undefined; bytes: AsyncIterable<Uint8Array> };

/** `koma library export FILE` */
export function createLibraryExportCommand({ signal }: CommandContext): Command {
  return new Command("export")
    .description(
      "Writes what searching needs of the indexed episodes to a new file, a pack, that another Koma imports: no video, no path, and no data of people.",
    )
    .argument("<file>", "the file to create")
    .option("--anime <id|title...>", "only these anime; default: all but the sample library")
    .option("--stills", "also write a small still of each shot, which are parts of the videos")
    .option("--json", "print the result as one JSON line")
    .action(async (file: string, { anime, stills, json }: ExportOptions) => {
      const summary = await withBar("Writing the pack", (bar) =>
        withLibrary(async (library) => {
          const named = anime && (await Promise.all(anime.map((name) => getEntry(library, name))));
          return await library.exportPack(resolve(file), {
            animeIds: named?.map((entry) => entry.anime.id),
            hasStills: stills === true,
            onProgress: showCounts(bar),
            signal,
          });
        }),
      );
      if (json === true) await writeJsonLine(summary);
      else process.stdout.write(`${describeExport(summary)}\nThe pack is in ${resolve(file)}.\n`);
    });
}

/** `koma library import FILE|URL` */
export function createLibraryImportCommand({ signal }: CommandContext): Command {
  return new Command("import")
    .description(
      "Adds the episodes of a pack that `koma library export` wrote: they are found, with the stills of the pack and without clips. Episodes of indexed videos stay as they are. An interrupted import is continued by the next one.",
    )
    .argument("<file|url>", "a pack, or its public https address")
    .option("--json", "print the result as one JSON line")
    .addHelpText(
      "after",
      "\nA pack of another model is refused. Import packs of people you trust: a pack says which anime a scene is from.",
    )
    .action(async (fileOrUrl: string, { json }: { json?: true }) => {
      const summary = await withBar("Importing the pack", (bar) =>
        withLibrary(async (library) => {
          const { name, totalBytes, bytes } = await openSource(fileOrUrl, signal);
          return await library.importPack(bytes, {
            name,
            onProgress: ({ bytes: done, summary }) =>
              bar.update(done, totalBytes ?? 0, formatCount(summary.episodes, "episode")),
            signal,
          });
        }),
      );
      if (json === true) await writeJsonLine(summary);
      else process.stdout.write(`${describeImport(summary)}\n`);
    });
}

async function openSource(fileOrUrl: string, signal: AbortSignal): Promise<Source> {
  if (/^https?:\/\//i.test(fileOrUrl) && URL.canParse(fileOrUrl)) {
    const options = { network: publicNetwork, limitBytes: downloadLimitBytes, idleMs, userAgent: "Koma" };
    const { hostname, pathname } = new URL(fileOrUrl);
    return { name: `${hostname}/${basename(pathname)}`, ...(await openDownload(fileOrUrl, options, signal)) };
  }
  const file = resolve(fileOrUrl);
  const facts = await stat(file).catch(() => undefined);
  if (facts?.isFile() !== true) throw new CommandError(`there is no file ${file}.`);
  return { name: basename(file), totalBytes: facts.size, bytes: createReadStream(file) };
}

function describeExport({ episodes, frames, seconds, skipped, bytes }: ExportSummary): string {
  const each = `${formatSize(bytes / episodes)} per episode`;
  const normal = `${formatSize((bytes / Math.max(1, seconds)) * secondsOfEpisode)} per 24 minutes`;
  const left = skipped > 0 ? ` ${formatCount(skipped, "episode")} left out: not indexed, or twice.` : "";
  return `${formatCount(episodes, "episode")}, ${formatCount(frames, "frame")}: ${formatSize(bytes)}, ${each}, ${normal}.${left}`;
}

function describeImport(summary: ImportSummary): string {
  const { imported, unchanged, withVideo, empty, frames, isStopped } = summary;
  const parts = [
    imported > 0 ? `${imported} imported (${formatCount(frames, "frame")})` : "",
    unchanged > 0 ? `${unchanged} unchanged` : "",
    withVideo > 0 ? `${withVideo} in the library with a video` : "",
    empty > 0 ? `${empty} without data for a search` : "",
    isStopped ? "stopped before the end; run the same command again to continue" : "",
  ].filter((part) => part !== "");
  return [formatCount(summary.episodes, "episode"), parts.join(", ")]
    .filter((part) => part !== "")
    .join(": ")
    .concat(".");
}
