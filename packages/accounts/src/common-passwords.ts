import { readFile } from "node:fs/promises";

/** The permitted number of characters of a new password; older passwords can be shorter. */
export const passwordLength = { minimum: 10, maximum: 128 } as const;

let common: Promise<ReadonlySet<string>> | undefined;

/** Whether a password is one of the 10,000 most common ones of at least 10 characters; case is ignored. */
export async function isCommonPassword(password: string): Promise<boolean> {
  common ??= readList();
  return (await common).has(password.toLowerCase());
}

async function readList(): Promise<ReadonlySet<string>> {
  const text = await readFile(new URL("../data/common-passwords.txt", import.meta.url), "utf8");
  return new Set(text.trimEnd().split("\n"));
}
