import { randomBytes } from "node:crypto";

/** An opaque id: 128 random bits as 22 characters that are safe in URLs. */
export function createId(): string {
  return randomBytes(16).toString("base64url");
}
