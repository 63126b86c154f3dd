import { copyDatabase } from "@koma/database";
import { Argument, Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { CommandError } from "../command-error.ts";
import { readConfiguration } from "../config.ts";
import { showFraction, withBar } from "../terminal/progress.ts";

/** `koma migrate-database DIRECTION` */
export function createMigrateDatabaseCommand({ signal }: CommandContext): Command {
  return new Command("migrate-database")
    .summary("Copy the database between the data folder and PostgreSQL.")
    .description(
      "Copies the embedded database of the data folder to an empty PostgreSQL database at DATABASE_URL, or back. Stop the API, the bots and the indexer first: later writes are not copied.",
    )
    .addArgument(new Argument("<direction>", "where to copy to").choices(["to-postgresql", "to-embedded"]))
    .action(async (direction: string) => {
      const { KOMA_DATA_DIR: dataDir, DATABASE_URL: databaseUrl } = readConfiguration();
      if (databaseUrl === undefined) throw new CommandError("DATABASE_URL is needed.");
      const embedded = { dataDir };
      const server = { dataDir, databaseUrl };
      const isToServer = direction === "to-postgresql";
      const addresses = isToServer ? { from: embedded, to: server } : { from: server, to: embedded };
      const rows = await withBar("Copying the database", (bar) =>
        copyDatabase({ ...addresses, signal, onProgress: showFraction(bar) }),
      );
      const next = isToServer ? "Keep DATABASE_URL set." : "Unset DATABASE_URL.";
      process.stdout.write(`Copied ${rows} rows. ${next}\n`);
    });
}
