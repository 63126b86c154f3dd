import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { readConfiguration } from "../config.ts";
import { measureFolder } from "../room/measure-folder.ts";
import { formatSize } from "../terminal/format.ts";
import { formatTable } from "../terminal/table.ts";

/** `koma clean` */
export function createCleanCommand({ signal }: CommandContext): Command {
  return new Command("clean")
    .summary("Delete what Koma makes again.")
    .description(
      "Shows the files that Koma makes again when it needs them: previews and the cache of the index. --yes deletes them, also while Koma runs. Never touched: the database, stills, backups and videos.",
    )
    .option("--yes", "delete them")
    .action(async (options: { yes?: true }) => {
      const { KOMA_DATA_DIR: dataDir } = readConfiguration();
      const parts = await Promise.all(
        listParts(dataDir).map(async (part) => ({ ...part, bytes: await measureFolder(part.folder) })),
      );
      const rows = parts.map(({ name, bytes, again, folder }) => [name, formatSize(bytes), again, folder]);
      process.stdout.write(`${formatTable(["part", "size", "made again", "folder"], rows)}\n\n`);
      const total = formatSize(parts.reduce((sum, { bytes }) => sum + bytes, 0));
      if (options.yes === undefined) {
        process.stdout.write(`\`koma clean --yes\` deletes these files and frees ${total}.\n`);
        return;
      }
      for (const { folder } of parts) {
        signal.throwIfAborted();
        await empty(folder);
      }
      process.stdout.write(`${total} deleted.\n`);
    });
}

function listParts(dataDir: string) {
  return [
    { name: "previews", folder: join(dataDir, "previews"), again: "when a match is shown" },
    { name: "index cache", folder: join(dataDir, "index"), again: "at the next start, from the database" },
  ];
}

/** Deletes what is in a folder. The folder remains, because running processes write to it. */
async function empty(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  for (const name of names) await rm(join(folder, name), { recursive: true, force: true });
}
