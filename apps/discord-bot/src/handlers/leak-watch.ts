import type { BotCore } from "@koma/bot-core";
import type { DiscordApi } from "../discord/discord-api.ts";
import { isForbidden, isGone } from "../discord/error-codes.ts";
import type { Sender } from "../responses/send-reply.ts";
import type { Requester } from "./requester.ts";

/** Revokes API keys in messages, and deletes the messages. */
export function createLeakWatch(parts: {
  core: BotCore;
  api: DiscordApi;
  sender: Sender;
  onError: (what: string, error: unknown) => void;
}) {
  const { core, api, sender, onError } = parts;

  return {
    /** Revokes the keys, deletes the message if the bot may, and warns its author privately. */
    async handle(
      message: { id: string; channel_id: string; content: string },
      requester: Requester,
    ): Promise<void> {
      const { person, chat } = requester;
      // Also for a handled message: an edit can add another key.
      const revocation = core.revokeLeakedKeys({ person, chat, text: message.content });
      await core.requests.handle({ requestId: `leak:${message.id}` }, async ({ sending }) => {
        // A bot cannot delete others' messages in direct messages.
        const wasDeleted = chat.kind !== "direct" && (await remove(message));
        const outcome = await revocation;
        const reply = await core.warnOfLeak({ person, chat, wasDeleted, outcome });
        await sending();
        const sent = await sender.direct(reply, { personId: person.id, nonce: `leak${message.id}` });
        if (sent !== undefined) return sent;
        // No public message points to a key that is still visible and valid.
        if (!wasDeleted && outcome !== "revoked") return undefined;
        return await sender.announce(reply, {
          requester,
          channelId: message.channel_id,
          messageId: message.id,
        });
      });
      await revocation;
    },
  };

  async function remove({ id, channel_id: channelId }: { id: string; channel_id: string }): Promise<boolean> {
    try {
      await api.deleteMessage(channelId, id);
      return true;
    } catch (error) {
      if (isGone(error)) return true;
      if (!isForbidden(error)) onError("deleting a key", error);
      return false;
    }
  }
}
