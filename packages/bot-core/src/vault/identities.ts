import { createHmac, randomBytes, webcrypto } from "node:crypto";
import type { BotMemoryStore } from "@koma/database/bots";
import type { Platform } from "../model/request.ts";
import type { Vault } from "./vault.ts";

/** Pseudonyms for people, chats, images and requests that cannot be reversed. */
export type Identities = Awaited<ReturnType<typeof openIdentities>>;

/**
 * The keyed HMACs of a platform. Their key is created once and stored encrypted, so that the vault's keys can
 * change.
 */
export async function openIdentities(platform: Platform, memory: BotMemoryStore, vault: Vault) {
  const saved =
    (await memory.findSecret(secretName)) ??
    (await memory.saveSecret(secretName, vault.seal(secretAssociatedData, randomBytes(32))));
  const secret = vault.open(secretAssociatedData, saved);
  if (saved.keyId !== vault.currentKeyId) {
    await memory.resealSecret(secretName, saved, vault.seal(secretAssociatedData, secret));
  }
  const hash = (what: string, value: string | Uint8Array) =>
    createHmac("sha256", secret).update(`${platform}\0${what}\0`).update(value).digest("base64url");
  return {
    person: (id: string) => ({ platform, personKey: hash("person", id) }),
    chat: (id: string) => ({ platform, placeKey: hash("place", id) }),
    request: (requestId: string) => ({ platform, requestKey: hash("request", requestId) }),
    /** Identifies a file's bytes together with the selected frame. */
    async image(bytes: Uint8Array, frame: string): Promise<string> {
      // Runs outside the event loop, which fifty megabytes would block.
      const digest = await webcrypto.subtle.digest("SHA-256", new Uint8Array(bytes));
      return hash(`picture ${frame}`, new Uint8Array(digest));
    },
    /** Identifies the platform's own id of a file. */
    file: (identity: string, frame: string) => hash(`file ${frame}`, identity),
    /** Identifies an API key. */
    leakedKey: (key: string) => hash("leaked key", key),
    /** The Idempotency-Key of a search. */
    search: (requestId: string) => hash("search", requestId),
  };
}

const secretName = "identities";
const secretAssociatedData = "Secret identities";
