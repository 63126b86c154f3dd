// PostgreSQL refuses to run as root (src/backend/main/main.c), because its superuser could then write any file.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { userInfo } from "node:os";

/** The account that PostgreSQL runs as. */
export type Account =
  /** That of this process, which is not root. */
  | { kind: "own" }
  /** That of root, under the number of another user in a user namespace (user_namespaces(7)). */
  | { kind: "mapped"; userId: number }
  | { kind: "switched"; userId: number; groupId: number };

/**
 * Chooses the account for the data of PostgreSQL in a data folder. Root takes the owner of the data, or that of
 * the data folder; for those of root, a user namespace where the kernel permits one, otherwise a user number of
 * its own.
 */
export async function chooseAccount(dataFolder: string, userFolder: string): Promise<Account> {
  if (process.getuid?.() !== 0) return { kind: "own" };
  const owner = (await stat(dataFolder).catch(() => undefined)) ?? (await stat(userFolder));
  if (owner.uid !== 0) return { kind: "switched", userId: owner.uid, groupId: owner.gid };
  const { userId } = findUnprivileged();
  const mapped: Account = { kind: "mapped", userId };
  return canRun("true", [], mapped) ? mapped : { kind: "switched", ...dedicated };
}

/**
 * The account for initdb, which needs an entry of its user in the list of users. Its files then have another
 * owner than those of `account`, who must get them.
 */
export function chooseInitialAccount(account: Account): Account {
  const unprivileged = findUnprivileged();
  if (account.kind === "switched") {
    return isListed(account.userId) ? account : { kind: "switched", ...unprivileged };
  }
  if (account.kind === "mapped" || hasName()) return account;
  const mapped: Account = { kind: "mapped", userId: unprivileged.userId };
  if (canRun("true", [], mapped)) return mapped;
  throw new Error(
    `user ${process.getuid?.()} has no entry in /etc/passwd, which creating the database needs: add one, or set DATABASE_URL to a PostgreSQL server`,
  );
}

/** The command that runs a program as an account, and the options for `spawn`. */
export function runAs(
  account: Account,
  program: string,
  args: readonly string[],
): { command: string; args: string[]; options: { uid?: number; gid?: number } } {
  if (account.kind === "own") return { command: program, args: [...args], options: {} };
  if (account.kind === "switched") {
    return { command: program, args: [...args], options: { uid: account.userId, gid: account.groupId } };
  }
  return {
    command: "unshare",
    args: ["--user", `--map-user=${account.userId}`, "--", program, ...args],
    options: {},
  };
}

/** Whether an account can start a program. */
export function canRun(
  program: string,
  args: readonly string[],
  account: Account,
  env?: NodeJS.ProcessEnv,
): boolean {
  const { command, args: all, options } = runAs(account, program, args);
  const result = spawnSync(command, all, { ...options, ...(env && { env }), cwd: "/", stdio: "ignore" });
  return result.status === 0;
}

// Debian gives the numbers from 60000 to 64999 to packages on demand, and this one to none.
const dedicated = { userId: 62_432, groupId: 62_432 };

function hasName(): boolean {
  try {
    return userInfo().username !== "";
  } catch {
    return false;
  }
}

function isListed(userId: number): boolean {
  return listUsers().some((user) => user.userId === userId);
}

/** The user that Linux reserves for processes without rights, or another one without those of root. */
function findUnprivileged(): { userId: number; groupId: number } {
  const users = listUsers().filter(({ userId }) => userId !== 0);
  const { userId, groupId } = users.find(({ name }) => name === "nobody") ?? users[0] ?? dedicated;
  return { userId, groupId };
}

function listUsers(): { name: string; userId: number; groupId: number }[] {
  return readPasswd().flatMap((line) => {
    const [name = "", , userId, groupId] = line.split(":");
    return groupId === undefined ? [] : [{ name, userId: Number(userId), groupId: Number(groupId) }];
  });
}

function readPasswd(): string[] {
  try {
    return readFileSync("/etc/passwd", "utf8").split("\n");
  } catch {
    return [];
  }
}
