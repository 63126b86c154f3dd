import { ApiProblem } from "@koma/client";
import type { StoredSecret } from "@koma/database/bots";
import { z } from "zod";
import type { LeakOutcome } from "../model/bot-core.ts";
import type { Requester } from "../model/request.ts";
import { withReason } from "../process/with-reason.ts";
import type { Shared } from "../shared.ts";
import { findLeakedKeys } from "./leaked-key.ts";
import { isRefusal } from "./refused-key.ts";

/**
 * Revokes API keys that people publish. Each key is stored before its revocation, so that an unavailable API
 * or a restart does not lose it.
 */
export function createLeakedKeys({ platform, store, vault, identities, api, botKey, log }: Shared) {
  const prefix = `leaked key ${platform} `;
  let timer: NodeJS.Timeout | undefined;
  let nextMs = Number.POSITIVE_INFINITY;
  let working: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  return {
    /** Revokes the keys in a text that others can read. A direct message is not public. */
    async revoke({ person, chat, text }: Requester & { text: string }): Promise<LeakOutcome> {
      if (chat.kind === "direct") return "notPublic";
      const leaks = findLeakedKeys(text).map((key) => ({ key, chatUser: api.chatUser(person) }));
      for (const leak of leaks) await remember(leak);
      const areRevoked = await Promise.all(leaks.map(revokeOne));
      if (areRevoked.every(Boolean)) return "revoked";
      schedule(retryMs);
      return "pending";
    },

    /** Revokes the keys that an earlier run or another process could not revoke. */
    start: (): void => retry(),

    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(timer);
      await working;
    },
  };

  async function remember(leak: Leak): Promise<void> {
    const name = nameOf(leak);
    await store.memory
      .saveSecret(name, vault.sealJson(name, leak))
      .catch((error: unknown) => warn("A published key could not be stored for a later attempt", error));
  }

  /** True if the key is invalid from now on; false if another attempt is needed. */
  async function revokeOne(leak: Leak): Promise<boolean> {
    const isOwnKey = leak.key === botKey;
    try {
      await api.measured("revokeLeakedApiKey", () => api.bot.revokeLeakedApiKey(leak, { deadlineMs: 5000 }));
    } catch (error) {
      // The response to the revocation of the bot's own key can be lost.
      if (!(isOwnKey && isRefusal(error))) {
        const reason = error instanceof ApiProblem ? error.code : error;
        warn("A published key could not be revoked; the bot tries again", reason);
        return false;
      }
    }
    if (isOwnKey) {
      log(
        "error",
        "The bot's own key (KOMA_BOT_KEY) was published and is revoked: restart the bot with another key.",
      );
    }
    await store.memory
      .removeSecret(nameOf(leak))
      .catch((error: unknown) => warn("A revoked key could not be removed", error));
    return true;
  }

  async function revokeStored(): Promise<void> {
    const stored = await store.memory.listSecrets(prefix);
    let isComplete = true;
    for (const secret of stored) {
      if (isClosed) return;
      const leak = await read(secret);
      if (leak !== undefined && !(await revokeOne(leak))) isComplete = false;
    }
    // Another process can end before it has revoked its keys.
    schedule(isComplete ? idleMs : retryMs);
  }

  async function read(secret: StoredSecret): Promise<Leak | undefined> {
    try {
      return Leak.parse(vault.openJson(secret.name, secret));
    } catch (error) {
      warn("A published key cannot be decrypted and is not revoked", error);
      await store.memory.removeSecret(secret.name);
      return undefined;
    }
  }

  function retry(): void {
    timer = undefined;
    nextMs = Number.POSITIVE_INFINITY;
    working = revokeStored().catch((error: unknown) => {
      warn("Published keys could not be read", error);
      schedule(retryMs);
    });
  }

  /** An earlier attempt that is already planned stays. */
  function schedule(waitMs: number): void {
    if (isClosed || nextMs <= performance.now() + waitMs) return;
    clearTimeout(timer);
    nextMs = performance.now() + waitMs;
    timer = setTimeout(retry, waitMs);
    timer.unref();
  }

  /** One row per key, whichever messages contain it. */
  function nameOf({ key }: Leak): string {
    return prefix + identities.leakedKey(key);
  }

  function warn(what: string, reason: unknown): void {
    log("warn", withReason(what, reason));
  }
}

const Leak = z.object({ key: z.string(), chatUser: z.string() });
type Leak = z.infer<typeof Leak>;

const retryMs = 15_000;
const idleMs = 60_000;
