import { ConfigurationError } from "./configuration-error.ts";

/** A shorter secret can be guessed, and with it sessions and verification links can be forged. */
export const secretMinimumCharacters = 32;
export const secretMessage = `must have at least ${secretMinimumCharacters} characters; generate one with \`openssl rand -base64 32\`, or leave it unset to store one in the data folder`;

/**
 * The secret as read from `file`, without white space around it. Throws ConfigurationError when it is too
 * short.
 */
export function parseSecret(text: string, file: string): string {
  const secret = text.trim();
  if (secret.length >= secretMinimumCharacters) return secret;
  throw new ConfigurationError([{ variable: file, message: secretFileMessage }]);
}

const secretFileMessage = `must have at least ${secretMinimumCharacters} characters: restore it from a backup, or delete it to generate a new one, which signs every user out and makes the accounts linked in the bots unreadable`;
