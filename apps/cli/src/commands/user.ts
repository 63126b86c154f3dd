import type { User } from "@koma/database";
import { Command, InvalidArgumentError, Option } from "commander";
import { findUser } from "../accounts/find-user.ts";
import { formatUser, formatUsers } from "../accounts/user-tables.ts";
import { CommandError } from "../command-error.ts";
import { formatCount } from "../terminal/format.ts";
import { writeJsonLine } from "../terminal/write-json-line.ts";
import { type AccountsContext, withAccounts } from "../with-accounts.ts";

type Options = { json?: true };

/** `koma user create|list|show|admin|disable|enable|forget` */
export function createUserCommand(): Command {
  return new Command("user")
    .summary("See and tend accounts.")
    .description("Shows and tends the accounts of people and bots.")
    .addCommand(createCreate())
    .addCommand(createList())
    .addCommand(createShow())
    .addCommand(createAdmin())
    .addCommand(createSwitch("disable", "Shuts a user out at once: sessions end, keys are refused."))
    .addCommand(createSwitch("enable", "Lets a user in again; keys work as before."))
    .addCommand(createForget());
}

function createCreate(): Command {
  return withJson(
    new Command("create").description(
      "Makes an account. Prints what it signs in with, once: a person's password, a bot's API key.",
    ),
  )
    .argument("<email>", "mail address", readEmail)
    .option("--name <name>", "what others see; by default the beginning of the address", readName)
    .addOption(new Option("--bot", "a bot: its key may act for chat users").conflicts("admin"))
    .option("--admin", "an operator: sees library, queues and users on the web page")
    .action(async (email: string, options: Options & { name?: string; bot?: true; admin?: true }) => {
      const created = await withAccounts((context) => create(context, { email, ...options }));
      if (options.json) return await writeJsonLine(created);
      const secret =
        created.key === undefined
          ? `Password, shown this once: ${created.password}`
          : `API key, shown this once: ${created.key}`;
      process.stdout.write(`${created.email} has an account (id ${created.id}).\n${secret}\n`);
    });
}

async function create(
  { accounts }: AccountsContext,
  options: { email: string; name?: string; bot?: true; admin?: true },
): Promise<User & { password?: string | undefined; key?: string | undefined }> {
  const isBot = options.bot === true;
  const { user, password } = await accounts.users
    .create({ email: options.email, name: options.name, isBot })
    .catch(async (error: unknown) => {
      const { EmailTakenError } = await import("@koma/accounts");
      if (error instanceof EmailTakenError) throw new CommandError(`${error.message}: ${options.email}.`);
      throw error;
    });
  if (options.admin) await accounts.users.setAdmin(user.id, true);
  if (!isBot) return { ...user, isAdmin: options.admin === true, password };
  const { key } = await accounts.keys.create({ userId: user.id, title: "Made on the command line", isBot });
  return { ...user, key };
}

function createList(): Command {
  return withJson(new Command("list").description("Lists all users with their ids.")).action(
    async (options: Options) => {
      const users = await withAccounts(listAll);
      if (options.json) for (const user of users) await writeJsonLine(user);
      else if (users.length === 0) process.stdout.write("There are no users.\n");
      else process.stdout.write(`${formatUsers(users)}\n\n${formatCount(users.length, "user")}\n`);
    },
  );
}

async function listAll({ accounts }: AccountsContext) {
  const pageSize = 500;
  const users = [];
  for (let page = 1; ; page += 1) {
    const { items } = await accounts.users.list({ page, pageSize });
    users.push(...items);
    if (items.length < pageSize) return users;
  }
}

function createShow(): Command {
  return withJson(new Command("show").description("Shows one user."))
    .argument("<user>", "id or mail address")
    .action(async (idOrEmail: string, options: Options) => {
      const shown = await withAccounts(async (context) => {
        const user = await findUser(context, idOrEmail);
        return { user, purchasedCredits: await context.database.credits.balance(user.id) };
      });
      if (options.json)
        return await writeJsonLine({ ...shown.user, purchasedCredits: shown.purchasedCredits });
      process.stdout.write(`${formatUser(shown.user, shown.purchasedCredits)}\n`);
    });
}

function createAdmin(): Command {
  return withJson(
    new Command("admin").description(
      "Makes a person an operator, who sees library, queues and users on the web page.",
    ),
  )
    .argument("<user>", "id or mail address")
    .option("--remove", "make them an operator no longer")
    .action(async (idOrEmail: string, options: Options & { remove?: true }) => {
      const isAdmin = options.remove !== true;
      const user = await withAccounts(async (context) => {
        const found = await findUser(context, idOrEmail);
        if (await context.accounts.users.setAdmin(found.id, isAdmin)) return { ...found, isAdmin };
        throw new CommandError(`${found.email} is a bot, and bots are no operators.`);
      });
      if (options.json) return await writeJsonLine(user);
      process.stdout.write(`${user.email} is ${isAdmin ? "an operator" : "no operator"}.\n`);
    });
}

function createSwitch(name: "disable" | "enable", description: string): Command {
  return withJson(new Command(name).description(description))
    .argument("<user>", "id or mail address")
    .action(async (idOrEmail: string, options: Options) => {
      const user = await withAccounts(async (context) => {
        const found = await findUser(context, idOrEmail);
        await context.accounts.users[name](found.id);
        return { ...found, isDisabled: name === "disable" };
      });
      if (options.json) return await writeJsonLine(user);
      process.stdout.write(`${user.email} is ${name}d.\n`);
    });
}

function createForget(): Command {
  return withJson(
    new Command("forget").description(
      "Deletes an account with its keys, credits and history, for good. Public confirmed searches stay, and tell nothing of it.",
    ),
  )
    .argument("<user>", "id or mail address")
    .action(async (idOrEmail: string, options: Options) => {
      const user = await withAccounts(async (context) => {
        const found = await findUser(context, idOrEmail);
        await context.accounts.users.forget(found.id);
        return found;
      });
      if (options.json) return await writeJsonLine({ id: user.id });
      process.stdout.write(`${user.email} is forgotten.\n`);
    });
}

function withJson(command: Command): Command {
  return command.option("--json", "print JSON lines");
}

function readEmail(written: string): string {
  if (/^[^\s@<>,;:"()]+@[^\s@<>,;:"()]+\.[^\s@<>,;:"().]+$/.test(written)) return written;
  throw new InvalidArgumentError("It must look like name@site.example.");
}

function readName(written: string): string {
  const name = written.trim();
  if (/^\P{Cc}{1,100}$/u.test(name)) return name;
  throw new InvalidArgumentError("It must have 1 to 100 characters.");
}
