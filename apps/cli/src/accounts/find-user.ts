import type { User } from "@koma/database";
import { CommandError } from "../command-error.ts";
import { printable } from "../terminal/table.ts";
import type { AccountsContext } from "../with-accounts.ts";

/** The user of this id or mail address. Throws CommandError. */
export async function findUser({ accounts }: AccountsContext, idOrEmail: string): Promise<User> {
  const user = await accounts.users.show(idOrEmail);
  if (user !== undefined) return user;
  throw new CommandError(`there is no user ${printable(idOrEmail)}: \`koma user list\` shows all users.`);
}
