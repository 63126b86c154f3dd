import type { Page } from "@koma/database";
import { Command, InvalidArgumentError } from "commander";
import { formatTable } from "../terminal/table.ts";
import { writeJsonLine } from "../terminal/write-json-line.ts";
import { type AccountsContext, withAccounts } from "../with-accounts.ts";

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
      const page = { page: 1, pageSize: limit };
      const noun = security ? "events" : "actions";
      const { items, total, head, rows } = await withAccounts(async (context) =>
        security ? await listEvents(context, { email, ...page }) : await listActions(context, page),
      );
      if (json) for (const item of items) await writeJsonLine(item);
      else if (items.length === 0) process.stdout.write(`There are no ${noun}.\n`);
      else {
        process.stdout.write(`${formatTable(head, rows)}\n`);
        if (total > items.length)
          process.stdout.write(`\n${total - items.length} earlier ${noun} are not shown.\n`);
      }
    });
}

type Options = { limit: number; json?: true; security?: true; account?: string };

async function listActions({ database }: AccountsContext, page: Page) {
  const { items, total } = await database.audit.list(page);
  const rows = items.map((entry) => [
    formatTime(entry.createdAt),
    entry.actor,
    entry.action,
    entry.target,
    entry.details === undefined ? "" : JSON.stringify(entry.details),
  ]);
  return { items, total, head: ["When (UTC)", "Who", "Action", "On", "Details"], rows };
}

async function listEvents({ accounts }: AccountsContext, page: Page & { email: string | undefined }) {
  const { items, total } = await accounts.listSecurityEvents(page);
  const rows = items.map(({ createdAt, event, account, network }) => [
    formatTime(createdAt),
    event,
    account ?? "",
    network,
  ]);
  return { items, total, head: ["When (UTC)", "Event", "Account", "Network"], rows };
}

const formatTime = (at: Date) => at.toISOString().slice(0, 19).replace("T", " ");

function readLimit(written: string): number {
  if (/^[1-9]\d{0,5}$/.test(written)) return Number(written);
  throw new InvalidArgumentError("It must be a whole number from 1 to 999,999.");
}
