import { Command, InvalidArgumentError } from "commander";
import { formatTable } from "../terminal/table.ts";
import { writeJsonLine } from "../terminal/write-json-line.ts";
import { withAccounts } from "../with-accounts.ts";

/** `koma audit` */
export function createAuditCommand(): Command {
  return new Command("audit")
    .summary("Show the actions of operators.")
    .description(
      "Shows the actions of operators on accounts, credits and bots, on the command line and the web page, newest first.",
    )
    .option("--limit <number>", "number of actions", readLimit, 100)
    .option("--json", "print JSON lines")
    .action(async ({ limit, json }: { limit: number; json?: true }) => {
      const { items, total } = await withAccounts(({ database }) =>
        database.audit.list({ page: 1, pageSize: limit }),
      );
      if (json) {
        for (const entry of items) await writeJsonLine(entry);
        return;
      }
      if (items.length === 0) return void process.stdout.write("There are no actions.\n");
      const rows = items.map((entry) => [
        entry.createdAt.toISOString().slice(0, 19).replace("T", " "),
        entry.actor,
        entry.action,
        entry.target,
        entry.details === undefined ? "" : JSON.stringify(entry.details),
      ]);
      process.stdout.write(`${formatTable(["When (UTC)", "Who", "Action", "On", "Details"], rows)}\n`);
      if (total > items.length)
        process.stdout.write(`\n${total - items.length} earlier actions are not shown.\n`);
    });
}

function readLimit(written: string): number {
  if (/^[1-9]\d{0,5}$/.test(written)) return Number(written);
  throw new InvalidArgumentError("It must be a whole number from 1 to 999,999.");
}
