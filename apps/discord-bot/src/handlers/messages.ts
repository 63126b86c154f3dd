import {
  type BotCore,
  expiredReply,
  failureReply,
  type LookupRequest,
  plainReply,
  type Reply,
  withoutPrivacy,
} from "@koma/bot-core";
import type { APIMessage } from "discord.js";
import { LRUCache } from "lru-cache";
import type { DiscordApi } from "../discord/discord-api.ts";
import type { Surroundings } from "../discord/gateway.ts";
import { chooseSubject } from "../images/choose-subject.ts";
import type { Download } from "../images/download.ts";
import { findAddress, findImages } from "../images/find-images.ts";
import type { Sender } from "../responses/send-reply.ts";
import { findMessage, hasReply } from "./find-message.ts";
import { hasOwnImage, type IncomingMessage, isForBot, isFromPerson, isSmallTalk } from "./is-relevant.ts";
import { createLeakWatch } from "./leak-watch.ts";
import { type Requester, readMessageRequester } from "./requester.ts";
import { type ResumedMessage, readSent, toReference, writeResume } from "./resume.ts";

/** Discord adds the embeds of a link about a second after the message. */
const embedDelayMs = 1_500;

/** A person's small talk gets the hint about what to send once in this time. */
const hintMs = 3_600_000;

/** What the handlers of messages and reactions use. */
export type MessageParts = {
  core: BotCore;
  api: DiscordApi;
  sender: Sender;
  download: Download;
  /** The last known Discord language of a user. */
  localeOf: (personId: string) => string | undefined;
  onError: (what: string, error: unknown) => void;
};

/**
 * Serves messages for the bot: direct ones, those that mention it, and images in the channels where every
 * image is searched.
 */
export function createMessages(parts: MessageParts) {
  const { core, api, sender } = parts;
  const leaks = createLeakWatch(parts);
  /** People who got the hint about what to send, which is not repeated with each word of small talk. */
  const hinted = new LRUCache<string, true>({ max: 10_000, ttl: hintMs });

  return {
    /** Serves one message, if it is for the bot. */
    async serve(message: IncomingMessage, surroundings: Surroundings): Promise<void> {
      if (!isFromPerson(message)) return;
      const hasKey = core.hasLeakedKey(message.content);
      const isAddressed = isForBot(message, surroundings);
      if (!hasKey && !isAddressed && !hasOwnImage(message)) return;
      const requester = await readRequester(message, surroundings);
      if (hasKey) await leaks.handle(message, requester);
      else if (isAddressed) await serve(message, requester, surroundings);
      else if (await core.searchesEveryImage(requester.chat)) await serveAutomatically(message, requester);
    },
    /** Serves an edited message: a leaked key, or a mention or image that the edit added. */
    async serveEdit(message: IncomingMessage, surroundings: Surroundings): Promise<void> {
      if (!isFromPerson(message)) return;
      const isLeak = core.hasLeakedKey(message.content);
      // Discord also sends an edit when it adds the embeds of a link.
      if (!isLeak && (typeof message.edited_timestamp !== "string" || !isRecent(message))) return;
      await this.serve(message, surroundings);
    },
    /**
     * Serves a message again that this or another process accepted. Whether it is for the bot is not decided
     * again, because the gateway sends its server's roles only to the processes of its shard. False if it no
     * longer contains a request.
     */
    async resume(
      message: APIMessage,
      { resume, requestId, isExpired }: { resume: ResumedMessage; requestId: string; isExpired: boolean },
      surroundings: Surroundings,
    ): Promise<boolean> {
      const { guildId, guildLocale, nick = null, roles } = resume;
      const inGuild = guildId === undefined ? {} : { guild_id: guildId, member: { nick, roles: [...roles] } };
      const whole: IncomingMessage = { ...message, ...inGuild };
      const requester = await readRequester(whole, surroundings, guildLocale);
      if (core.hasLeakedKey(whole.content)) {
        await leaks.handle(whole, requester);
        return false;
      }
      if (requestId === nameAutomatic(whole))
        return !isExpired && (await serveAutomatically(whole, requester));
      await serve(whole, requester, surroundings, isExpired);
      return true;
    },
  };

  async function readRequester(
    message: IncomingMessage,
    { knowChannel }: Surroundings,
    guildLocale?: string,
  ): Promise<Requester> {
    const known = await knowChannel(message.channel_id);
    const channel = { ...known, guildLocale: known.guildLocale ?? guildLocale };
    return readMessageRequester(message, { channel, locale: parts.localeOf(message.author.id) });
  }

  async function serve(
    message: IncomingMessage,
    requester: Requester,
    around: Surroundings,
    isExpired = false,
  ): Promise<void> {
    const { id: messageId, channel_id: channelId } = message;
    const resume = writeResume(describeResume(message, requester));
    const to = { requester, channelId, messageId, closed: () => replyClosed(requester) };
    await core.requests.handle({ requestId: messageId, resume }, async ({ sending, isUncertain }) => {
      let shown = isUncertain ? readSent(await core.findAlbumMessage(messageId)) : undefined;
      // An earlier run that was interrupted while sending possibly sent its reply.
      if (isUncertain && shown === undefined && (await hasReply(api, message, around.botId)))
        return undefined;
      const show = async (reply: Reply) => {
        if (shown !== undefined) return await sender.edit(reply, shown);
        await sending();
        return await sender.reply(reply, to);
      };
      const onProgress = async (reply: Reply) => {
        // A private reply goes to another chat.
        if (reply.isPrivate && requester.chat.kind !== "direct") return undefined;
        shown = await show(reply);
        return toReference(shown);
      };
      const typing = isSmallTalk(message) ? undefined : api.showTypingIn(channelId);
      try {
        const reply = await findReply(message, requester, around, { isExpired, onProgress }).catch(
          (error: unknown) => {
            parts.onError("serving a message", error);
            return failureReply(requester);
          },
        );
        // Reactions to a flood would need a permission that the bot does not ask for.
        if (reply === undefined || (reply.isRepeatedProblem === true && shown === undefined))
          return undefined;
        return toReference(await show(reply));
      } finally {
        typing?.end();
      }
    });
  }

  /** Replies to an image that is not addressed to the bot if its match is confident. Failures have no reply. */
  async function serveAutomatically(message: IncomingMessage, requester: Requester): Promise<boolean> {
    const { id: messageId, channel_id: channelId } = message;
    const subject = chooseSubject({
      images: findImages({ ...message, sticker_items: [] }).slice(0, 1),
      address: undefined,
      download: parts.download,
    });
    if (subject === undefined) return false;
    const { person, chat } = requester;
    const to = { requester, channelId, messageId, closed: () => replyClosed(requester) };
    const requestId = nameAutomatic(message);
    const resume = writeResume(describeResume(message, requester));
    await core.requests.handle({ requestId, resume }, async ({ sending, isUncertain }) => {
      // The image was not addressed to the bot: a missing reply is preferred to a second one.
      if (isUncertain) return undefined;
      const reply = await core.lookupAutomatically({ person, chat, subject, requestId });
      if (reply === undefined) return undefined;
      await sending();
      return toReference(await sender.reply(withoutPrivacy(reply), to));
    });
    return true;
  }

  async function findReply(
    message: IncomingMessage,
    { person, chat }: Requester,
    around: Surroundings,
    { isExpired, onProgress }: { isExpired: boolean } & Pick<LookupRequest, "onProgress">,
  ) {
    // In channels where searches are not served, a mention is ignored.
    if (chat.kind !== "direct" && !(await core.isServedAt(chat))) return undefined;
    if (isExpired) return expiredReply(await core.translatorFor({ person, chat }), person);
    const subject = await findSubject(message, around.botId);
    if (subject !== undefined) {
      return withoutPrivacy(await core.lookup({ person, chat, subject, requestId: message.id, onProgress }));
    }
    const { t, language } = await core.translatorFor({ person, chat });
    if (chat.kind === "direct") {
      if (hinted.has(person.id)) return undefined;
      hinted.set(person.id, true);
      return plainReply({ language, person, texts: [t("reply.hint")], isPrivate: false });
    }
    const menu = t("help.ways.menu");
    const texts = (await isHiddenFromBot(message, around))
      ? [t("reply.noPicture.notShown"), menu]
      : [
          t(`reply.noPicture.${message.message_reference === undefined ? "inMessage" : "inReply"}`),
          ...[t("reply.noPicture.text"), menu],
        ];
    return plainReply({ language, person, title: t("reply.noPicture.title"), texts, isPrivate: false });
  }

  /** The message's own images come first, then those of the message it replies to, then an address. */
  async function findSubject(message: IncomingMessage, botId: string) {
    const { download } = parts;
    const own = findImages(message);
    if (own.length > 0) return chooseSubject({ images: own, address: undefined, download });
    const repliedTo = await findReplied(message);
    // A text reply to the bot's own result is not a search request.
    const isOwn = repliedTo?.author.id === botId;
    const shown = repliedTo === undefined || isOwn ? [] : findImages(repliedTo);
    if (shown.length > 0) return chooseSubject({ images: shown, address: undefined, download });
    const address =
      findAddress(message.content) ??
      (repliedTo === undefined || isOwn ? undefined : findAddress(repliedTo.content));
    if (address === undefined) return undefined;
    return chooseSubject({ images: await waitForEmbeds(message), address, download });
  }

  /**
   * Without the message-content intent, Discord sends others' messages without content: whether they had an
   * image is unknown.
   */
  async function isHiddenFromBot(message: IncomingMessage, { hasMessageContent, botId }: Surroundings) {
    if (hasMessageContent) return false;
    const repliedTo = await findReplied(message);
    if (repliedTo === undefined || repliedTo.author.id === botId) return false;
    const { content, attachments, embeds, components = [] } = repliedTo;
    return content === "" && [attachments, embeds, components].every(({ length }) => length === 0);
  }

  async function findReplied(message: IncomingMessage): Promise<APIMessage | undefined> {
    const reference = message.message_reference;
    // A forwarded message includes the forwarded content.
    if (reference?.message_id === undefined || message.message_snapshots !== undefined) return undefined;
    if (message.referenced_message) return message.referenced_message;
    return await findMessage(parts, reference.channel_id ?? message.channel_id, reference.message_id);
  }

  async function waitForEmbeds({ id, channel_id: channelId }: IncomingMessage) {
    await new Promise((resolve) => setTimeout(resolve, embedDelayMs));
    const later = await findMessage(parts, channelId, id);
    return later === undefined ? [] : findImages(later);
  }

  async function replyClosed({ person, chat }: Requester) {
    const { t, language } = await core.translatorFor({ person, chat });
    return plainReply({ language, person, texts: [t("reply.privateClosed")], isPrivate: false });
  }
}

/** The request of an image that is not addressed to the bot; a later edit can add a mention, whose id differs. */
function nameAutomatic({ id }: IncomingMessage): string {
  return `automatic:${id}`;
}

function describeResume(message: IncomingMessage, { chat }: Requester): ResumedMessage {
  return {
    channelId: message.channel_id,
    messageId: message.id,
    guildId: message.guild_id,
    guildLocale: chat.locale,
    nick: message.member?.nick ?? undefined,
    roles: message.member?.roles ?? [],
  };
}

/** Edits of older messages are ignored. */
const editTtlMs = 60 * 60_000;

function isRecent({ timestamp }: IncomingMessage): boolean {
  return Date.now() - Date.parse(timestamp) < editTtlMs;
}
