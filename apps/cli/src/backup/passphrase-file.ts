import { readFile } from "node:fs/promises";
import { CommandError } from "../command-error.ts";

const minimumCharacters = 12;

/** The first line of a file, as a passphrase. Throws CommandError when it cannot be read or is too short. */
export async function readPassphrase(file: string): Promise<string> {
  const text = await readFile(file, "utf8").catch((error: Error) => {
    throw new CommandError(`The passphrase file cannot be read: ${error.message}`);
  });
  const [passphrase = ""] = text.split(/\r?\n/, 1);
  if (passphrase.length >= minimumCharacters) return passphrase;
  throw new CommandError(`The first line of ${file} must have at least ${minimumCharacters} characters.`);
}
