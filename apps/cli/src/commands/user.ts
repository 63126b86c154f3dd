import type { User } from "@koma/database";
import { Command, InvalidArgumentError, Option } from "commander";
import { findUser } from "../accounts/find-user.ts";
import { formatUser, formatUsers } from "../accounts/user-tables.ts";
import { CommandError } from "../command-error.ts";
import { formatCount } from "../terminal/format.ts";
import { writeJsonLine } from "../terminal/write-json-line.ts";
import { type AccountsContext, describeAction, withAccounts } from "../with-accounts.ts";
import { type JsonOptions, withJson } from "./with-json.ts";

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
    .action(async (email: string, options: JsonOptions & { name?: string; bot?: true; admin?: true }) => {
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
    async (options: JsonOptions) => {
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
    .action(async (idOrEmail: string, options: JsonOptions) => {
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
  return createChange<{ remove?: true }>(
    new Command("admin").description(
      "Makes a user an operator, who sees library, queues and users on the web page.",
    ),
    async ({ accounts }, user, { remove }) => {
      const isAdmin = remove !== true;
      const audit = describeAction(isAdmin ? "user.admin" : "user.admin.remove", `user:${user.id}`);
      if (await accounts.users.setAdmin(user.id, isAdmin, audit)) return { ...user, isAdmin };
      throw new CommandError(`${user.email} is a bot; a bot cannot be an operator.`);
    },
    (email, { remove }) => `${email} is ${remove ? "no longer" : "now"} an operator.`,
  ).option("--remove", "remove the operator role");
}

function createSwitch(name: "disable" | "enable", description: string): Command {
  return createChange(
    new Command(name).description(description),
    async ({ accounts }, user) => {
      await accounts.users[name](user.id, describeAction(`user.${name}`, `user:${user.id}`));
      return { ...user, isDisabled: name === "disable" };
    },
    (email) => `${email} is ${name}d.`,
  );
}

function createResetTwoFactor(): Command {
  return createChange(
    new Command("reset-2fa").description(
      "Removes the second factor of a user who lost the authenticator app and the recovery codes, and ends all sessions.",
    ),
    async ({ accounts }, user) => {
      const audit = describeAction("user.reset-2fa", `user:${user.id}`);
      if (await accounts.users.resetTwoFactor(user.id, audit)) return { ...user, isTwoFactorEnabled: false };
      throw new CommandError(`${user.email} has no second factor.`);
    },
    (email) => `The second factor of ${email} is removed; all sessions have ended.`,
  );
}

function createDelete(): Command {
  return createChange(
    new Command("delete")
      // The name until 0.1; it is removed in the next version.
      .alias("forget")
      .description(
        "Deletes an account with its API keys, credits and history permanently. Public confirmed searches stay without a reference to it.",
      ),
    async ({ accounts }, { id }) => {
      await accounts.users.forget(id, describeAction("user.delete", `user:${id}`));
      return { id };
    },
    (email) => `${email} is deleted.`,
  );
}

/** A command that changes one account. `change` returns what --json prints, `describe` the sentence without it. */
function createChange<Own>(
  command: Command,
  change: (context: AccountsContext, user: User, options: Own) => Promise<object>,
  describe: (email: string, options: Own) => string,
): Command {
  return withJson(command)
    .argument("<user>", "id or mail address")
    .action(async (idOrEmail: string, options: JsonOptions & Own) => {
      const { email, changed } = await withAccounts(async (context) => {
        const user = await findUser(context, idOrEmail);
        return { email: user.email, changed: await change(context, user, options) };
      });
      if (options.json) return await writeJsonLine(changed);
      process.stdout.write(`${describe(email, options)}\n`);
    });
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
