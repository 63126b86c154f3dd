import type { BotCore } from "@koma/bot-core";
import { LRUCache } from "lru-cache";
import type { Requester } from "./requester.ts";
import { within } from "./within.ts";

type Audience = "public" | "private";
type Known = { audience: Promise<Audience>; last: Audience | undefined; requestedAtMs: number };

/** The maximum delay of the acknowledgement, for which Discord allows three seconds. */
const timeoutMs = 500;
/**
 * A change of a chat's settings in this process invalidates its entry at once; other processes can change
 * them too.
 */
const ttlMs = 30_000;

/**
 * Caches the visibility of replies per chat for the acknowledgement: the cached value is used while it is
 * refreshed. Without a value in time, the reply is private.
 */
export function createAudiences(core: Pick<BotCore, "findAudience">, now: () => number = Date.now) {
  const chats = new LRUCache<string, Known>({ max: 10_000 });

  return {
    async of({ person, chat }: Requester): Promise<Audience> {
      const known = chats.get(chat.id);
      const isFresh = known !== undefined && now() - known.requestedAtMs < ttlMs;
      const current = isFresh ? known : ask({ person, chat }, known?.last);
      return current.last ?? (await within(timeoutMs, current.audience, "private"));
    },
    /** Invalidates the settings of a chat. */
    forget(chatId: string): void {
      chats.delete(chatId);
    },
  };

  function ask(requester: Pick<Requester, "person" | "chat">, last: Audience | undefined): Known {
    const audience = core.findAudience(requester);
    const known: Known = { audience, last, requestedAtMs: now() };
    audience.then(
      (found) => {
        known.last = found;
      },
      // The next call requests it again.
      () => void chats.delete(requester.chat.id),
    );
    chats.set(requester.chat.id, known);
    return known;
  }
}
