import { type LookupOptions, plainReply, type Reply, type Subject } from "@koma/bot-core";
import { createTranslator } from "@koma/messages";
import {
  type APIApplicationCommandInteraction,
  type APIChatInputApplicationCommandInteraction,
  type APIMessage,
  ApplicationCommandType,
  ContextMenuCommandBuilder,
  PermissionFlagsBits,
  PermissionsBitField,
} from "discord.js";
import { isForbidden, isGone } from "../discord/error-codes.ts";
import { chooseSubject } from "../images/choose-subject.ts";
import { findAddress, findImages, fromAttachment, hasImage } from "../images/find-images.ts";
import { isImageAttachment } from "../images/open-image.ts";
import type { CommandContext, MessageCommand, SlashCommand } from "./command.ts";
import { choose, contexts, describe, integrationTypes, localize, slashCommand } from "./localize.ts";
import { type InteractionOptions, readOptions } from "./read-options.ts";

const previews = ["clip", "still", "none"] as const;

/** `/find`: finds the scene of an image, by default of the last one in the channel. */
export const find: SlashCommand = {
  type: "slash",
  data: slashCommand("find")
    .addAttachmentOption((option) => describe(option, "find.image"))
    .addStringOption((option) => describe(option, "find.url").setMaxLength(2000))
    .addNumberOption((option) => describe(option, "find.frame").setMinValue(0).setMaxValue(86_400))
    .addStringOption((option) =>
      describe(option, "find.preview").addChoices(
        previews.map((value) => choose(value, ({ t }) => t(`command.find.preview.${value}`))),
      ),
    )
    .addBooleanOption((option) => describe(option, "find.mute"))
    .addBooleanOption((option) => describe(option, "find.crop"))
    .addBooleanOption((option) => describe(option, "find.private")),
  isVisible: true,
  async execute(interaction, context) {
    const options = readOptions(interaction.data);
    const attachment = options.attachment("image");
    const address = options.text("url");
    const link = attachment === undefined ? readMessageLink(address) : undefined;
    if (link !== undefined || (attachment === undefined && address === undefined)) {
      return await findInChannel(interaction, { context, options: readLookupOptions(options), link });
    }
    const subject = chooseSubject({
      images: attachment === undefined ? [] : [fromAttachment(attachment)],
      address,
      download: context.download,
    });
    return subject === undefined
      ? await replyNoImage("reply.noPicture.inCommand", context)
      : await lookup(interaction, subject, context, readLookupOptions(options));
  },
};

/** "Find anime scene" in the menu of a message: finds the scene of its image or link. */
export const findInMessage: MessageCommand = {
  type: "message",
  data: new ContextMenuCommandBuilder()
    .setType(ApplicationCommandType.Message)
    .setName(createTranslator("en").t("command.findMessage"))
    .setNameLocalizations(localize(({ t }) => t("command.findMessage").slice(0, 32)))
    .setIntegrationTypes(...integrationTypes)
    .setContexts(...contexts),
  isVisible: true,
  async execute(interaction, context) {
    const { target_id: id, resolved } = interaction.data;
    const message = resolved.messages[id];
    const subject = chooseSubject({
      images: message === undefined ? [] : findImages(message),
      address: findAddress(message?.content ?? ""),
      download: context.download,
    });
    return subject === undefined
      ? await replyNoImage("reply.noPicture.inMessage", context)
      : await lookup(interaction, subject, context);
  },
};

/** Searches the image of a linked message, or the last image of the channel. */
async function findInChannel(
  interaction: APIChatInputApplicationCommandInteraction,
  {
    context,
    options,
    link,
  }: { context: CommandContext; options: LookupOptions; link: MessageLink | undefined },
): Promise<Reply> {
  const { api, download, around } = context;
  const channelId = findReadableChannel(interaction, context);
  if (link !== undefined) {
    // Other channels may be closed to the requester.
    const message =
      link.channelId === channelId
        ? await api.getMessage(channelId, link.messageId).catch(ignoreUnreadable)
        : undefined;
    const subject = message && subjectOf(message, download);
    return subject === undefined
      ? await replyNoImage("reply.noPicture.inLink", context)
      : await lookup(interaction, subject, context, options);
  }
  if (channelId === undefined) return await replyNoImage("reply.noPicture.inCommand", context);
  const messages = (await api.listLastMessages(channelId).catch(ignoreUnreadable)) ?? [];
  const last = messages.find((message) => message.author.id !== around.botId && hasImage(message));
  const subject = last && subjectOf(last, download);
  if (subject === undefined) return await replyNoImage("reply.noPicture.inChannel", context);
  const reply = await lookup(interaction, subject, context, options);
  const text = createTranslator(reply.language).t("reply.lastPicture");
  return { ...reply, lines: [...reply.lines, { spans: [{ text }], style: "quiet" }] };
}

/** The channel, if both the bot and the requester may read its earlier messages. */
function findReadableChannel(
  { member }: APIApplicationCommandInteraction,
  { requester: { writableChannelId } }: CommandContext,
): string | undefined {
  if (member === undefined) return writableChannelId;
  const held = new PermissionsBitField(BigInt(member.permissions));
  return held.has(PermissionFlagsBits.ReadMessageHistory) ? writableChannelId : undefined;
}

function subjectOf(message: APIMessage, download: CommandContext["download"]): Subject | undefined {
  return chooseSubject({ images: findImages(message), address: findAddress(message.content), download });
}

/** A deleted message, or one that the bot may not read. */
function ignoreUnreadable(error: unknown): undefined {
  if (!isGone(error) && !isForbidden(error)) throw error;
}

type MessageLink = { channelId: string; messageId: string };

/** Reads `https://discord.com/channels/<server>/<channel>/<message>`. */
function readMessageLink(address: string | undefined): MessageLink | undefined {
  const pattern =
    /^<?https:\/\/(?:(?:ptb|canary)\.)?discord(?:app)?\.com\/channels\/(?:@me|\d+)\/(\d+)\/(\d+)\/?>?$/;
  const [, channelId, messageId] = pattern.exec(address ?? "") ?? [];
  return channelId === undefined || messageId === undefined ? undefined : { channelId, messageId };
}

async function lookup(
  { id: requestId }: APIApplicationCommandInteraction,
  subject: Subject,
  { core, requester: { person, chat } }: CommandContext,
  options: LookupOptions = {},
): Promise<Reply> {
  const showsImage = "image" in subject && isImageAttachment(subject.image.publicUrl);
  return await core.lookup({ person, chat, subject, options: { ...options, showsImage }, requestId });
}

async function replyNoImage(
  reason: `reply.noPicture.${"inCommand" | "inMessage" | "inChannel" | "inLink"}`,
  { core, requester: { person, chat } }: CommandContext,
): Promise<Reply> {
  const { t, language } = await core.translatorFor({ person, chat });
  const texts = [t(reason), t("reply.noPicture.text")];
  return plainReply({ language, person, title: t("reply.noPicture.title"), texts });
}

function readLookupOptions(options: InteractionOptions): LookupOptions {
  const atSeconds = options.number("frame");
  return {
    preview: previews.find((one) => one === options.text("preview")),
    frame: atSeconds === undefined || atSeconds < 0 ? undefined : { atSeconds },
    mute: options.flag("mute"),
    crop: options.flag("crop"),
    isPrivate: options.flag("private"),
  };
}
