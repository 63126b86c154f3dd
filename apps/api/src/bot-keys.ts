import { createHash } from "node:crypto";
import { ChatUser } from "@koma/contract";
import type { FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";

export type BotKeys = ReturnType<typeof createBotKeys>;

/**
 * The keys that authenticated bots in the last ten minutes. The request limit applies before a key is looked
 * up.
 */
export function createBotKeys() {
  const keys = new LRUCache<string, true>({ max: 1000, ttl: 10 * 60_000 });

  return {
    /** Records whether the key in an `Authorization` header is that of a bot. */
    note(authorization: string, isBot: boolean): void {
      if (isBot) keys.set(hash(authorization), true);
      else keys.delete(hash(authorization));
    },

    /**
     * The chat user of a bot's request, or "bot" if it names none; undefined for a request without a recorded
     * key.
     */
    readChatUser({ headers }: Pick<FastifyRequest, "headers">): ChatUser | "bot" | undefined {
      const { authorization, "x-koma-chat-user": sent } = headers;
      if (authorization === undefined || !keys.has(hash(authorization))) return undefined;
      return sent === undefined ? "bot" : ChatUser.safeParse(sent).data;
    },
  };
}

function hash(authorization: string): string {
  return createHash("sha256").update(authorization).digest("base64url");
}
