import { FfmpegMissingError, findFfmpeg } from "@koma/library/ffmpeg";
import { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { readConfiguration } from "../config.ts";
import { readVersion } from "../read-version.ts";
import { writeJsonLine } from "../terminal/write-json-line.ts";

/** `koma version` */
export function createVersionCommand(_context: CommandContext): Command {
  return new Command("version")
    .summary("Print the versions of Koma, Node and ffmpeg.")
    .description(
      "Prints the versions of Koma, Node and ffmpeg, the data folder and the kind of database, for bug reports.",
    )
    .option("--json", "print them as one JSON line")
    .action(async (options: { json?: true }) => {
      const configuration = readConfiguration();
      const ffmpeg = await findFfmpeg({
        ffmpegPath: configuration.FFMPEG_PATH,
        ffprobePath: configuration.FFPROBE_PATH,
      }).catch((error: unknown) => {
        if (error instanceof FfmpegMissingError) return { version: null, ffmpegPath: null };
        throw error;
      });
      const versions = {
        koma: readVersion(),
        node: process.versions.node,
        nodePath: process.execPath,
        ffmpeg: ffmpeg.version,
        ffmpegPath: ffmpeg.ffmpegPath,
        dataFolder: configuration.KOMA_DATA_DIR,
        database: configuration.DATABASE_URL === undefined ? "embedded" : "postgresql",
      };
      if (options.json) return await writeJsonLine(versions);
      process.stdout.write(
        [
          `koma    ${versions.koma}`,
          `node    ${versions.node} (${versions.nodePath})`,
          versions.ffmpeg === null
            ? "ffmpeg  not found"
            : `ffmpeg  ${versions.ffmpeg} (${versions.ffmpegPath})`,
          `data    ${versions.dataFolder} (database: ${versions.database})`,
          "",
        ].join("\n"),
      );
    });
}
