import { plainReply, type Reply, type Subject } from "@koma/bot-core";
import {
  type APIApplicationCommandInteraction,
  type APIChatInputApplicationCommandInteraction,
  type APIMessageApplicationCommandInteraction,
  ApplicationCommandType,
} from "discord.js";
import { commandNames } from "../commands/define-commands.ts";
import { readLookupOptions, readOptions, readPeriod } from "../commands/read-options.ts";
import { chooseSubject } from "../images/choose-subject.ts";
import { findAddress, findImages, fromAttachment } from "../images/find-images.ts";
import { writeLinkContext } from "./link-context.ts";
import type { InteractionParts, Serving } from "./serving.ts";

/** Slash commands and the message command. */
export function createCommands({ core, api, sender, download, audiences }: InteractionParts) {
  return {
    async serve(interaction: APIApplicationCommandInteraction, serving: Serving): Promise<void> {
      const { resumed } = serving;
      const isPrivate =
        resumed !== undefined && "isPrivate" in resumed
          ? resumed.isPrivate
          : await decidePrivacy(interaction, serving);
      const acknowledge = () => api.deferReply(interaction, { isPrivate });
      await serving.once({ isPrivate, isResumable: true, acknowledge }, async (stage, sending) => {
        const reply = await run(interaction, serving);
        await sending();
        return await sender.sendReply(reply, stage);
      });
    },
  };

  /** The settings decide; until they are available, the reply is private. */
  async function decidePrivacy(
    interaction: APIApplicationCommandInteraction,
    { requester }: Serving,
  ): Promise<boolean> {
    if (requester.chat.kind === "direct") return false;
    if (!visibleCommands.has(interaction.data.name)) return true;
    const isRequested = isSlash(interaction) && readOptions(interaction.data).flag("private") === true;
    if (isRequested) return true;
    return (await audiences.of(requester)) === "private";
  }

  async function run(interaction: APIApplicationCommandInteraction, serving: Serving): Promise<Reply> {
    const { person, chat } = serving.requester;
    const requester = { person, chat };
    if (isOnMessage(interaction)) return await findInMessage(interaction, serving);
    if (!isSlash(interaction)) return await core.help(requester);
    const options = readOptions(interaction.data);
    switch (interaction.data.name) {
      case commandNames.find:
        return await find(interaction, serving);
      case commandNames.rankings: {
        const period = readPeriod(options);
        return await core.rankings({ ...requester, ...(period === undefined ? {} : { period }) });
      }
      case commandNames.recent:
        return await core.recent(requester);
      case commandNames.credits:
        return await core.credits(requester);
      case commandNames.link: {
        const context = writeLinkContext(interaction, { isButton: false });
        return await core.startLink({ ...requester, context });
      }
      case commandNames.unlink:
        return await core.unlink(requester);
      case commandNames.settings: {
        const tag = options.text("language");
        if (tag !== undefined) return await core.language({ ...requester, tag });
        const scope = options.subcommand === "server" ? "place" : "person";
        return await core.settings({ ...requester, scope });
      }
      case commandNames.privacy:
        return await core.privacy(requester);
      case commandNames.forget:
        return await core.forget(requester);
      default:
        return await core.help(requester);
    }
  }

  async function find(
    interaction: APIChatInputApplicationCommandInteraction,
    { requester }: Serving,
  ): Promise<Reply> {
    const options = readOptions(interaction.data);
    const attachment = options.attachment("image");
    const address = options.text("url");
    const images = attachment === undefined ? [] : [fromAttachment(attachment)];
    const subject = chooseSubject({ images, address, download });
    return await lookup(interaction, requester, subject, readLookupOptions(options));
  }

  async function findInMessage(
    interaction: APIMessageApplicationCommandInteraction,
    { requester }: Serving,
  ): Promise<Reply> {
    const { target_id: id, resolved } = interaction.data;
    const message = resolved.messages[id];
    const images = message === undefined ? [] : findImages(message);
    const address = findAddress(message?.content ?? "");
    const subject = chooseSubject({ images, address, download });
    return await lookup(interaction, requester, subject, {});
  }

  async function lookup(
    interaction: APIApplicationCommandInteraction,
    { person, chat }: Serving["requester"],
    subject: Subject | undefined,
    options: ReturnType<typeof readLookupOptions>,
  ): Promise<Reply> {
    const requestId = interaction.id;
    if (subject !== undefined) return await core.lookup({ person, chat, subject, options, requestId });
    const { t, language } = await core.translatorFor({ person, chat });
    const texts = [
      t(isOnMessage(interaction) ? "reply.noPicture.inMessage" : "reply.noPicture.inCommand"),
      t("reply.noPicture.text"),
    ];
    return plainReply({ language, person, title: t("reply.noPicture.title"), texts });
  }
}

/** Commands whose replies can be public. */
const visibleCommands = new Set<string>([
  ...[commandNames.find, commandNames.findMessage, commandNames.rankings, commandNames.recent],
]);

function isSlash(
  interaction: APIApplicationCommandInteraction,
): interaction is APIChatInputApplicationCommandInteraction {
  return interaction.data.type === ApplicationCommandType.ChatInput;
}

function isOnMessage(
  interaction: APIApplicationCommandInteraction,
): interaction is APIMessageApplicationCommandInteraction {
  return interaction.data.type === ApplicationCommandType.Message;
}
