import { randomBytes } from "node:crypto";

/**
 * An opaque id: 22 random characters that are safe in URLs, with nearly 128 bits. It never begins with "-",
 * because command lines would read it as an option.
 */
export function createId(): string {
  const id = randomBytes(16).toString("base64url");
  return id.startsWith("-") ? createId() : id;
}
