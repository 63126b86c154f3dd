import { Command, InvalidArgumentError } from "commander";
import { findUser } from "../accounts/find-user.ts";
import { formatCreditEntries } from "../accounts/user-tables.ts";
import { CommandError } from "../command-error.ts";
import { formatCount } from "../terminal/format.ts";
import { writeJsonLine } from "../terminal/write-json-line.ts";
import { describeAction, withAccounts } from "../with-accounts.ts";
import type { JsonOptions } from "./with-json.ts";

/** `koma credits grant|show` */
export function createCreditsCommand(): Command {
  return new Command("credits")
    .summary("Grant credits and show their use.")
    .description("Grants credits and shows their use. The free searches of a day are not credits.")
    .addCommand(createGrant())
    .addCommand(createShow());
}

function createGrant(): Command {
  return new Command("grant")
    .description("Grants credits to a user.")
    .argument("<user>", "id or mail address")
    .argument("<number>", "number of credits", readNumber)
    .requiredOption("--reason <text>", "reason, shown in the list of credits", readReason)
    .option("--json", "print the result as one JSON line")
    .action(async (idOrEmail: string, amount: number, options: JsonOptions & { reason: string }) => {
      const { user, balance } = await withAccounts(async (context) => {
        const found = await findUser(context, idOrEmail);
        const { CreditLimitError } = await import("@koma/database");
        const { reason } = options;
        const audit = describeAction("credits.grant", `user:${found.id}`, { amount, reason });
        const granted = await context.database.credits
          .grant({ userId: found.id, amount, reason, audit })
          .catch((error: unknown) => {
            throw error instanceof CreditLimitError ? new CommandError(`${error.message}.`) : error;
          });
        if (granted === undefined) throw new CommandError(`${found.email} was deleted meanwhile.`);
        return { user: found, balance: granted.balance };
      });
      if (options.json) return await writeJsonLine({ userId: user.id, granted: amount, balance });
      process.stdout.write(
        `Granted ${formatCount(amount, "credit")} to ${user.email}; balance: ${balance.toLocaleString("en")}.\n`,
      );
    });
}

function createShow(): Command {
  return new Command("show")
    .description("Shows the credits of a user and the last 100 changes.")
    .argument("<user>", "id or mail address")
    .option("--json", "print the result as one JSON line")
    .action(async (idOrEmail: string, options: JsonOptions) => {
      const { user, balance, total, items } = await withAccounts(async (context) => {
        const found = await findUser(context, idOrEmail);
        const { credits } = context.database;
        const entries = await credits.listEntries({ userId: found.id, page: 1, pageSize: 100 });
        return { user: found, balance: await credits.balance(found.id), ...entries };
      });
      if (options.json) return await writeJsonLine({ userId: user.id, balance, total, entries: items });
      process.stdout.write(`${user.email} has ${formatCount(balance, "credit")}.\n`);
      if (items.length > 0) process.stdout.write(`\n${formatCreditEntries(items)}\n`);
      if (total > items.length)
        process.stdout.write(`\n${total - items.length} earlier changes are not shown.\n`);
    });
}

function readNumber(written: string): number {
  if (/^[1-9]\d{0,14}$/.test(written)) return Number(written);
  throw new InvalidArgumentError("It must be a whole number from 1 to 999,999,999,999,999.");
}

function readReason(written: string): string {
  const reason = written.trim();
  if (/^\P{Cc}{1,200}$/u.test(reason)) return reason;
  throw new InvalidArgumentError("It must have 1 to 200 characters.");
}
