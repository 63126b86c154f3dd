import type { CreditEntry, User } from "@koma/database";
import { formatTable, printable } from "../terminal/table.ts";

/** Users as a table, one row each. */
export function formatUsers(users: readonly (User & { purchasedCredits: number })[]): string {
  const rows = users.map((user) => [
    user.email,
    user.name,
    describeState(user),
    user.purchasedCredits.toLocaleString("en"),
    formatDay(user.createdAt),
    user.id,
  ]);
  return formatTable(["Address", "Name", "", "Credits", "Since", "Id"], rows);
}

/** The data of one user. */
export function formatUser(user: User, purchasedCredits: number): string {
  const facts: [string, string][] = [
    ["Address", `${user.email}${user.isEmailVerified ? "" : " (not confirmed)"}`],
    ["Name", user.name],
    ["Kind", user.isBot ? "bot" : user.isAdmin ? "operator" : "person"],
    ["State", user.isDisabled ? "disabled" : "active"],
    ["2FA", user.isTwoFactorEnabled ? "on" : "off"],
    ["Credits", purchasedCredits.toLocaleString("en")],
    ["Since", formatDay(user.createdAt)],
    ["Id", user.id],
  ];
  return facts.map(([name, value]) => `${name.padEnd(9)}${printable(value)}`).join("\n");
}

/** Movements of credits as a table, newest first. */
export function formatCreditEntries(entries: readonly CreditEntry[]): string {
  const rows = entries.map((entry) => [
    entry.createdAt.toISOString().slice(0, 16).replace("T", " "),
    entry.amount > 0 ? `+${entry.amount.toLocaleString("en")}` : entry.amount.toLocaleString("en"),
    entry.kind,
    entry.reason ?? "",
  ]);
  return formatTable(["When (UTC)", "Credits", "", "Reason"], rows);
}

function describeState({ isBot, isAdmin, isDisabled }: User): string {
  return [isBot ? "bot" : "", isAdmin ? "operator" : "", isDisabled ? "disabled" : ""]
    .filter(Boolean)
    .join(", ");
}

function formatDay(at: Date): string {
  return at.toISOString().slice(0, 10);
}
