import type { User } from "@koma/database";
import { Command, InvalidArgumentError, Option } from "commander";
import { findUser } from "../accounts/find-user.ts";
import { formatUser, formatUsers } from "../accounts/user-tables.ts";
import { CommandError } from "../command-error.ts";
import { formatCount } from "../terminal/format.ts";
import { writeJsonLine } from "../terminal/write-json-line.ts";
import { type AccountsContext, describeAction, withAccounts } from "../with-accounts.ts";

type Options = { json?: true };

/** `koma user create|list|show|admin|disable|enable|reset-2fa|delete` */
export function createUserCommand(): Command {
  return new Command("user")
    .summary("Manage accounts.")
    .description("Manages the accounts of users and bots.")
    .addCommand(createCreate())
    .addCommand(createList())
    .addCommand(createShow())
    .addCommand(createAdmin())
    .addCommand(
      createSwitch("disable", "Disables an account immediately: sessions end, API keys are rejected."),
    )
    .addCommand(createSwitch("enable", "Enables a disabled account; its API keys work again."))
    .addCommand(createResetTwoFactor())
    .addCommand(createDelete());
}

function createCreate(): Command {
  return withJson(
    new Command("create").description(
      "Creates an account and prints its secret once: the password of a user, the API key of a bot.",
    ),
  )
    .argument("<email>", "mail address", readEmail)
    .option("--name <name>", "display name; by default the local part of the address", readName)
    .addOption(
      new Option("--bot", "create a bot account, whose API key may act for chat users").conflicts("admin"),
    )
    .option("--admin", "create an operator, who sees library, queues and users on the web page")
    .action(async (email: string, options: Options & { name?: string; bot?: true; admin?: true }) => {
      const created = await withAccounts((context) => create(context, { email, ...options }));
      if (options.json) return await writeJsonLine(created);
      const secret =
        created.key === undefined
          ? `Password, shown only once: ${created.password}`
          : `API key, shown only once: ${created.key}`;
      process.stdout.write(`Created the account ${created.email} (id ${created.id}).\n${secret}\n`);
    });
}

async function create(
  { accounts, database }: AccountsContext,
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
  const target = `user:${user.id}`;
  await database.audit.record(describeAction("user.create", target, { isBot }));
  if (options.admin) await accounts.users.setAdmin(user.id, true, describeAction("user.admin", target));
  if (!isBot) return { ...user, isAdmin: options.admin === true, password };
  const { key } = await accounts.keys.create({
    userId: user.id,
    title: "Created on the command line",
    isBot,
  });
  return { ...user, key };
}

function createList(): Command {
  return withJson(new Command("list").description("Lists all accounts with their ids.")).action(
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
  return withJson(new Command("show").description("Shows one account."))
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
      "Makes a user an operator, who sees library, queues and users on the web page.",
    ),
  )
    .argument("<user>", "id or mail address")
    .option("--remove", "remove the operator role")
    .action(async (idOrEmail: string, options: Options & { remove?: true }) => {
      const isAdmin = options.remove !== true;
      const user = await withAccounts(async (context) => {
        const found = await findUser(context, idOrEmail);
        const audit = describeAction(isAdmin ? "user.admin" : "user.admin.remove", `user:${found.id}`);
        if (await context.accounts.users.setAdmin(found.id, isAdmin, audit)) return { ...found, isAdmin };
        throw new CommandError(`${found.email} is a bot; a bot cannot be an operator.`);
      });
      if (options.json) return await writeJsonLine(user);
      process.stdout.write(`${user.email} is ${isAdmin ? "now an operator" : "no longer an operator"}.\n`);
    });
}

function createSwitch(name: "disable" | "enable", description: string): Command {
  return withJson(new Command(name).description(description))
    .argument("<user>", "id or mail address")
    .action(async (idOrEmail: string, options: Options) => {
      const user = await withAccounts(async (context) => {
        const found = await findUser(context, idOrEmail);
        await context.accounts.users[name](found.id, describeAction(`user.${name}`, `user:${found.id}`));
        return { ...found, isDisabled: name === "disable" };
      });
      if (options.json) return await writeJsonLine(user);
      process.stdout.write(`${user.email} is ${name}d.\n`);
    });
}

function createResetTwoFactor(): Command {
  return withJson(
    new Command("reset-2fa").description(
      "Removes the second factor of a user who lost the authenticator app and the recovery codes, and ends all sessions.",
    ),
  )
    .argument("<user>", "id or mail address")
    .action(async (idOrEmail: string, options: Options) => {
      const user = await withAccounts(async (context) => {
        const found = await findUser(context, idOrEmail);
        const audit = describeAction("user.reset-2fa", `user:${found.id}`);
        if (await context.accounts.users.resetTwoFactor(found.id, audit)) {
          return { ...found, isTwoFactorEnabled: false };
        }
        throw new CommandError(`${found.email} has no second factor.`);
      });
      if (options.json) return await writeJsonLine(user);
      process.stdout.write(`The second factor of ${user.email} is removed; all sessions have ended.\n`);
    });
}

function createDelete(): Command {
  return withJson(
    new Command("delete")
      // The name until 0.1; it is removed in the next version.
      .alias("forget")
      .description(
        "Deletes an account with its API keys, credits and history permanently. Public confirmed searches stay without a reference to it.",
      ),
  )
    .argument("<user>", "id or mail address")
    .action(async (idOrEmail: string, options: Options) => {
      const user = await withAccounts(async (context) => {
        const found = await findUser(context, idOrEmail);
        await context.accounts.users.forget(found.id, describeAction("user.delete", `user:${found.id}`));
        return found;
      });
      if (options.json) return await writeJsonLine({ id: user.id });
      process.stdout.write(`${user.email} is deleted.\n`);
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
