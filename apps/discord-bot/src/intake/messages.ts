import { type BotCore, plainReply, type Reply, sayOpenly } from "@koma/bot-core";
import { chooseLanguage, createSpeaker } from "@koma/messages";
import { type APIMessage, type GatewayMessageCreateDispatchData, MessageType } from "discord.js";
import type { Sender } from "../delivery/send-reply.ts";
import type { DiscordApi } from "../discord/discord-api.ts";
import { isForbidden, isGone } from "../discord/error-codes.ts";
import type { Surroundings } from "../discord/gateway.ts";
import { chooseSubject } from "../pictures/choose-subject.ts";
import type { Download } from "../pictures/download.ts";
import { findAddress, findPictures } from "../pictures/find-pictures.ts";
import { type Asker, readMessageAsker } from "./asker.ts";
import { keepTyping } from "./keep-typing.ts";
import { createLeakWatch } from "./leak-watch.ts";
import { toReference, writeResume } from "./resume.ts";

/** A message as the gateway brings it, or as it was fetched again. */
export type IncomingMessage = APIMessage & Pick<GatewayMessageCreateDispatchData, "guild_id" | "member">;

/** Messages in which the bot is meant: direct ones, and those that mention it. */
export function createMessages(parts: {
  core: BotCore;
  api: DiscordApi;
  sender: Sender;
  download: Download;
  /** The language that somebody's Discord last told. */
  localeOf: (personId: string) => string | undefined;
  onTrouble: (what: string, error: unknown) => void;
  /** Discord adds what a link shows a moment after the message. */
  embedWaitMs?: number;
}) {
  const { core, api, sender } = parts;
  const leaks = createLeakWatch(parts);

  return {
    /** Serves one message to its end, if it is meant for the bot. */
    async serve(message: IncomingMessage, surroundings: Surroundings): Promise<void> {
      if (!isFromPerson(message)) return;
      const key = core.findLeakedKey(message.content);
      if (key === undefined && !isMeant(message, surroundings.botId)) return;
      const asker = await readAsker(message, surroundings);
      await (key === undefined ? answer(message, asker, surroundings) : leaks.handle(message, asker));
    },
    /** A message that was changed: only a key in it is of interest. */
    async serveEdit(message: IncomingMessage, surroundings: Surroundings): Promise<void> {
      if (!isFromPerson(message) || core.findLeakedKey(message.content) === undefined) return;
      await leaks.handle(message, await readAsker(message, surroundings));
    },
  };

  async function readAsker(message: IncomingMessage, { knowChannel }: Surroundings): Promise<Asker> {
    const channel = await knowChannel(message.channel_id);
    return readMessageAsker(message, { channel, locale: parts.localeOf(message.author.id) });
  }

  async function answer(message: IncomingMessage, asker: Asker, around: Surroundings): Promise<void> {
    const { id: messageId, channel_id: channelId, guild_id: guildId } = message;
    const resume = writeResume({ channelId, messageId, guildId });
    const to = { asker, channelId, messageId, closed: () => sayClosed(asker) };
    await core.requests.handle({ requestId: messageId, resume }, async ({ sending, isUncertain }) => {
      if (isUncertain && (await isAnswered(message, around.botId))) return undefined;
      const typing = keepTyping(() => api.showTyping(channelId));
      try {
        const reply = await findReply(message, asker, around).catch((error: unknown) => {
          parts.onTrouble("serving a message", error);
          return apology(asker);
        });
        if (reply === undefined) return undefined;
        await sending();
        return toReference(await sender.reply(reply, to));
      } finally {
        typing.end();
      }
    });
  }

  function apology({ person, place }: Asker): Reply {
    const { say, language } = createSpeaker(chooseLanguage([person.locale, place.locale]));
    const texts = [say("reply.oops")];
    return plainReply({ language, person, kind: "failure", texts, isPrivate: false });
  }

  /** Whether an earlier run, which broke off while it sent, had sent. */
  async function isAnswered({ id, channel_id: channelId }: IncomingMessage, botId: string): Promise<boolean> {
    const later = await api.listMessagesAfter(channelId, id);
    return later.some(
      ({ author, message_reference }) => author.id === botId && message_reference?.message_id === id,
    );
  }

  async function findReply(message: IncomingMessage, { person, place }: Asker, around: Surroundings) {
    // Where it is not to answer, a mention is met with silence.
    if (place.kind !== "direct" && !(await core.isServedAt(place))) return undefined;
    const subject = await findSubject(message, around.botId);
    if (subject !== undefined) {
      return sayOpenly(await core.lookup({ person, place, subject, requestId: message.id }));
    }
    if (place.kind === "direct") return await core.help({ person, place });
    const { say, language } = await core.speakerFor({ person, place });
    const menu = say("help.ways.menu");
    const texts = (await isHiddenFromBot(message, around))
      ? [say("reply.noPicture.notShown"), menu]
      : [
          say(`reply.noPicture.${message.message_reference === undefined ? "inMessage" : "inReply"}`),
          ...[say("reply.noPicture.text"), menu],
        ];
    return plainReply({ language, person, title: say("reply.noPicture.title"), texts, isPrivate: false });
  }

  /** Its own pictures come first, then those of the message it answers, then an address. */
  async function findSubject(message: IncomingMessage, botId: string) {
    const { download } = parts;
    const own = findPictures(message);
    if (own.length > 0) return chooseSubject({ pictures: own, address: undefined, download });
    const answered = await findAnswered(message);
    // What the bot itself showed is not asked about by thanking for it.
    const isOwn = answered?.author.id === botId;
    const shown = answered === undefined || isOwn ? [] : findPictures(answered);
    if (shown.length > 0) return chooseSubject({ pictures: shown, address: undefined, download });
    const address =
      findAddress(message.content) ??
      (answered === undefined || isOwn ? undefined : findAddress(answered.content));
    if (address === undefined) return undefined;
    return chooseSubject({ pictures: await waitForEmbeds(message), address, download });
  }

  /** Without the message-content intent Discord sends others' messages blank: whether they had a picture is unknown. */
  async function isHiddenFromBot(message: IncomingMessage, { hasMessageContent, botId }: Surroundings) {
    if (hasMessageContent) return false;
    const answered = await findAnswered(message);
    if (answered === undefined || answered.author.id === botId) return false;
    const { content, attachments, embeds, components = [] } = answered;
    return content === "" && [attachments, embeds, components].every(({ length }) => length === 0);
  }

  async function findAnswered(message: IncomingMessage): Promise<APIMessage | undefined> {
    const reference = message.message_reference;
    // A forwarded message carries what it forwards.
    if (reference?.message_id === undefined || message.message_snapshots !== undefined) return undefined;
    if (message.referenced_message) return message.referenced_message;
    return await fetchAgain(reference.channel_id ?? message.channel_id, reference.message_id);
  }

  async function waitForEmbeds({ id, channel_id: channelId }: IncomingMessage) {
    await new Promise((resolve) => setTimeout(resolve, parts.embedWaitMs ?? 1_500));
    const later = await fetchAgain(channelId, id);
    return later === undefined ? [] : findPictures(later);
  }

  async function fetchAgain(channelId: string, messageId: string): Promise<APIMessage | undefined> {
    try {
      return await api.getMessage(channelId, messageId);
    } catch (error) {
      if (!isGone(error) && !isForbidden(error)) parts.onTrouble("fetching a message", error);
      return undefined;
    }
  }

  async function sayClosed({ person, place }: Asker) {
    const { say, language } = await core.speakerFor({ person, place });
    return plainReply({ language, person, texts: [say("reply.privateClosed")], isPrivate: false });
  }
}

/** Other bots, webhooks and the bot itself are never answered, nor what Discord itself writes. */
function isFromPerson(message: IncomingMessage): boolean {
  if (message.author === undefined || message.content === undefined) return false;
  if (message.author.bot === true || message.author.system === true) return false;
  if (message.webhook_id !== undefined) return false;
  return message.type === MessageType.Default || message.type === MessageType.Reply;
}

function isMeant(message: IncomingMessage, botId: string): boolean {
  return message.guild_id === undefined || new RegExp(`<@!?${botId}>`).test(message.content);
}
