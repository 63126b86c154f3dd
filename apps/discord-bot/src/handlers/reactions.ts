import { type Reply, withoutPrivacy } from "@koma/bot-core";
import type { GatewayMessageReactionAddDispatchData } from "discord.js";
import type { Surroundings } from "../discord/gateway.ts";
import { chooseSubject } from "../images/choose-subject.ts";
import { findImages } from "../images/find-images.ts";
import { findMessage, hasReply } from "./find-message.ts";
import { hasOwnImage, type IncomingMessage, isFromPerson } from "./is-relevant.ts";
import type { MessageParts } from "./messages.ts";
import { type Requester, readMessageRequester } from "./requester.ts";
import { toReference } from "./resume.ts";

/** The emoji that ask for the scene of an image. */
const searchEmoji: ReadonlySet<string | null | undefined> = new Set(["🔍", "🔎"]);

/** Replies to an image in a server when a member reacts to it with a magnifying glass. */
export function createReactions(parts: MessageParts) {
  const { core, api, sender } = parts;

  return {
    /**
     * Serves one reaction. The search counts for the person who reacted. Each message gets one reply, also
     * when several people ask for it; none where replies are private, because the author of the image did not ask.
     */
    async serve(
      reaction: GatewayMessageReactionAddDispatchData,
      { botId, knowChannel }: Surroundings,
    ): Promise<void> {
      const { guild_id: guildId, member, channel_id: channelId, message_id: messageId, emoji } = reaction;
      const isRequest = emoji.id === undefined && searchEmoji.has(emoji.name);
      if (!isRequest || guildId === undefined || member === undefined || member.user.bot === true) return;
      const message = await findMessage(parts, channelId, messageId);
      if (message === undefined || !isFromPerson(message) || !hasOwnImage(message)) return;
      const requester = readMessageRequester(
        { ...message, author: member.user, guild_id: guildId, member },
        { channel: await knowChannel(channelId), locale: parts.localeOf(member.user.id) },
      );
      if ((await core.findAudience(requester)) === "private") return;
      await core.requests.handle({ requestId: `reaction:${messageId}` }, async ({ sending }) => {
        if (await hasReply(api, message, botId)) return undefined;
        const typing = api.showTypingIn(channelId);
        try {
          const reply = await find(message, requester);
          if (reply === undefined || reply.isRepeatedProblem === true || reply.isPrivate) return undefined;
          await sending();
          const to = { requester, channelId, messageId, closed: async () => reply };
          return toReference(await sender.reply(reply, to));
        } finally {
          typing.end();
        }
      });
    },
  };

  async function find(message: IncomingMessage, { person, chat }: Requester): Promise<Reply | undefined> {
    const images = findImages({ ...message, sticker_items: [] });
    const subject = chooseSubject({ images, address: undefined, download: parts.download });
    if (subject === undefined) return undefined;
    const requestId = `reaction:${message.id}`;
    return withoutPrivacy(await core.lookup({ person, chat, subject, requestId }));
  }
}
