import { createHmac } from "node:crypto";
import { deriveKey } from "./secret.ts";

/** Keyed HMACs that identify callers in the database. */
export type CallerHashes = ReturnType<typeof createCallerHashes>;

/** The same secret gives the same hashes in every process. */
export function createCallerHashes(secret: string) {
  const key = deriveKey(secret, "caller");
  const hash = (caller: string) => createHmac("sha256", key).update(caller).digest("base64url");

  return {
    /** A guest, by client network. */
    guest: (network: string) => hash(`guest:${network}`),
    /** A network for the general request limit. */
    requests: (network: string) => hash(`requests:${network}`),
    /** A chat user, as `discord:123`. */
    chat: (chatUser: string) => hash(`chat:${chatUser}`),
    /** A server or group of a chat platform, as `discord:123`. */
    server: (server: string) => hash(`server:${server}`),
    /** A user, by id. */
    user: (userId: string) => hash(`user:${userId}`),
  };
}
