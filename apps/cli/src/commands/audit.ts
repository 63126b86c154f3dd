import { Command, InvalidArgumentError } from "commander";
import { formatTable } from "../terminal/table.ts";
import { writeJsonLine } from "../terminal/write-json-line.ts";
import { withAccounts } from "../with-accounts.ts";

/** `koma audit` */
export function createAuditCommand(): Command {
  return new Command("audit")
    .summary("Show the actions of operators, or sign-ins.")
    .description(
      "Shows the actions of operators on accounts, credits and bots, on the command line and the web page, newest first. With --security it shows sign-ins, failed ones, second factors, resets of passwords and denied requests of the last 90 days, with keyed hashes of accounts and networks.",
    )
    .option("--limit <number>", "number of lines", readLimit, 100)
    .option("--security", "show sign-ins and their failures")
    .option("--account <address>", "with --security: only those of this account")
    .option("--json", "print JSON lines")
    .action(async ({ limit, json, security, account: email }: Options) => {
      if (security) return await showSecurityEvents({ limit, json, email });
      const { items, total } = await withAccounts(({ database }) =>
        database.audit.list({ page: 1, pageSize: limit }),
      );
      if (json) {
        for (const entry of items) await writeJsonLine(entry);
        return;
      }
      if (items.length === 0) return void process.stdout.write("There are no actions.\n");
      const rows = items.map((entry) => [
        formatTime(entry.createdAt),
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

type Options = { limit: number; json?: true; security?: true; account?: string };

async function showSecurityEvents(options: {
  limit: number;
  json?: true | undefined;
  email?: string | undefined;
}) {
  const { limit, json, email } = options;
  const { items, total } = await withAccounts(({ accounts }) =>
    accounts.listSecurityEvents({ email, page: 1, pageSize: limit }),
  );
  if (json) {
    for (const event of items) await writeJsonLine(event);
    return;
  }
  if (items.length === 0) return void process.stdout.write("There are no events.\n");
  const rows = items.map(({ createdAt, event, account, network }) => [
    formatTime(createdAt),
    event,
    account ?? "",
    network,
  ]);
  process.stdout.write(`${formatTable(["When (UTC)", "Event", "Account", "Network"], rows)}\n`);
  if (total > items.length) process.stdout.write(`\n${total - items.length} earlier events are not shown.\n`);
}

const formatTime = (at: Date) => at.toISOString().slice(0, 19).replace("T", " ");

function readLimit(written: string): number {
  if (/^[1-9]\d{0,5}$/.test(written)) return Number(written);
  throw new InvalidArgumentError("It must be a whole number from 1 to 999,999.");
}
