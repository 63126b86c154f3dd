import type { Reply, ReplyKind } from "../model/reply.ts";
import type { Chat, LookupRequest } from "../model/request.ts";
import type { Shared } from "../shared.ts";
import type { Lookup } from "./lookup.ts";

/**
 * Looks up images that are not addressed to the bot: an uncertain reply would disturb the chat, so only a
 * confident match and the first notice of a day about a limit are returned.
 */
export function createAutomaticLookup({ settings, now }: Shared, lookup: Lookup) {
  const deciding = new Set<string>();

  return async (request: LookupRequest): Promise<Reply | undefined> => {
    const reply = await lookup.findFirst(request);
    if (reply.kind === "match") return reply.isPrivate ? undefined : reply;
    const isShown = limits.has(reply.kind) && (await isFirstLimit(request.chat));
    return isShown ? reply : undefined;
  };

  async function isFirstLimit(chat: Chat): Promise<boolean> {
    if (deciding.has(chat.id)) return false;
    deciding.add(chat.id);
    try {
      const today = now().toISOString().slice(0, 10);
      if ((await settings.ofChat(chat)).limitReplyDay === today) return false;
      await settings.changeChat(chat, { limitReplyDay: today });
      return true;
    } finally {
      deciding.delete(chat.id);
    }
  }
}

const limits: ReadonlySet<ReplyKind> = new Set(["quota", "limit"]);
