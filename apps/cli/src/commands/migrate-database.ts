import { copyDatabase } from "@koma/database";
import { Command } from "commander";
import { CommandError } from "../command-error.ts";
import { readConfiguration } from "../config.ts";

/** `koma migrate-database DIRECTION` */
export function createMigrateDatabaseCommand(): Command {
  return new Command("migrate-database")
    .summary("Copy the database between the data folder and PostgreSQL.")
    .description(
      "Copies the embedded database of the data folder to an empty PostgreSQL database at DATABASE_URL, or back. Stop the API, the bots and the indexer first: later writes are not copied.",
    )
    .argument("<direction>", "`to-postgresql` or `to-embedded`")
    .action(async (direction: string) => {
      const { KOMA_DATA_DIR: dataDir, DATABASE_URL: databaseUrl } = readConfiguration();
      if (databaseUrl === undefined) throw new CommandError("DATABASE_URL is needed.");
      const embedded = { dataDir };
      const server = { dataDir, databaseUrl };
      const addresses = {
        "to-postgresql": { from: embedded, to: server },
        "to-embedded": { from: server, to: embedded },
      }[direction];
      if (addresses === undefined) throw new CommandError("The direction is to-postgresql or to-embedded.");
      const rows = await copyDatabase(addresses);
      const next = direction === "to-postgresql" ? "Keep DATABASE_URL set." : "Unset DATABASE_URL.";
      process.stdout.write(`Copied ${rows} rows. ${next}\n`);
    });
}
