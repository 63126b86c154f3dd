import type { BotCore } from "@koma/bot-core";
import type { Requester } from "./requester.ts";
import { within } from "./within.ts";

type Audience = "public" | "private";
type Known = { audience: Promise<Audience>; last: Audience | undefined; requestedAtMs: number };

/** Longer than this nobody is kept from the acknowledgement, for which Discord gives three seconds. */
const patienceMs = 500;
/** Where a place's settings are changed, the answer here is forgotten at once; other processes may change them too. */
const freshMs = 30_000;
const chatLimit = 10_000;

/**
 * Who sees the answers at a place, at hand for the acknowledgement: what was known is used while it is asked anew. Where
 * nothing is known in time, the asker alone.
 */
export function createAudiences(core: Pick<BotCore, "findAudience">, now: () => number = Date.now) {
  const chats = new Map<string, Known>();

  return {
    async of({ person, chat }: Requester): Promise<Audience> {
      const known = chats.get(chat.id);
      const isFresh = known !== undefined && now() - known.requestedAtMs < freshMs;
      const current = isFresh ? known : ask({ person, chat }, known?.last);
      return current.last ?? (await within(patienceMs, current.audience, "private"));
    },
    /** The settings of that place may have changed. */
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
      // Asked again the next time.
      () => chats.delete(requester.chat.id),
    );
    chats.delete(requester.chat.id);
    chats.set(requester.chat.id, known);
    const oldest = chats.keys().next();
    if (chats.size > chatLimit && oldest.done !== true) chats.delete(oldest.value);
    return known;
  }
}
