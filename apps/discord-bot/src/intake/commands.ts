import { plainReply, type Reply, type Subject } from "@koma/bot-core";
import {
  type APIApplicationCommandInteraction,
  type APIChatInputApplicationCommandInteraction,
  type APIMessageApplicationCommandInteraction,
  ApplicationCommandType,
} from "discord.js";
import { commandNames } from "../commands/define-commands.ts";
import { readLookupOptions, readOptions, readPeriod } from "../commands/read-options.ts";
import { chooseSubject } from "../pictures/choose-subject.ts";
import { findPictures, fromAttachment } from "../pictures/find-pictures.ts";
import type { InteractionParts, Serving } from "./interactions.ts";
import { writeLinkContext } from "./link-context.ts";

/** Slash commands, and the command of a message's menu. */
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
        return await sender.answer(reply, stage);
      });
    },
  };

  /** Settings decide; while they are not at hand, the asker alone sees the answer. */
  async function decidePrivacy(
    interaction: APIApplicationCommandInteraction,
    { asker }: Serving,
  ): Promise<boolean> {
    if (asker.place.kind === "direct") return false;
    if (!visibleCommands.has(interaction.data.name)) return true;
    const isAskedFor = isSlash(interaction) && readOptions(interaction.data).flag("private") === true;
    if (isAskedFor) return true;
    return (await audiences.of(asker)) === "private";
  }

  async function run(interaction: APIApplicationCommandInteraction, serving: Serving): Promise<Reply> {
    const { person, place } = serving.asker;
    const asked = { person, place };
    if (isOnMessage(interaction)) return await findInMessage(interaction, serving);
    if (!isSlash(interaction)) return await core.help(asked);
    const given = readOptions(interaction.data);
    switch (interaction.data.name) {
      case commandNames.find:
        return await find(interaction, serving);
      case commandNames.rankings: {
        const period = readPeriod(given);
        return await core.rankings({ ...asked, ...(period === undefined ? {} : { period }) });
      }
      case commandNames.recent:
        return await core.recent(asked);
      case commandNames.credits:
        return await core.credits(asked);
      case commandNames.link: {
        const context = writeLinkContext(interaction, { isButton: false });
        return await core.startLink({ ...asked, context });
      }
      case commandNames.unlink:
        return await core.unlink(asked);
      case commandNames.settings: {
        const tag = given.text("language");
        if (tag !== undefined) return await core.language({ ...asked, tag });
        const scope = given.subcommand === "server" ? "place" : "person";
        return await core.settings({ ...asked, scope });
      }
      case commandNames.privacy:
        return await core.privacy(asked);
      case commandNames.forget:
        return await core.forget(asked);
      default:
        return await core.help(asked);
    }
  }

  async function find(
    interaction: APIChatInputApplicationCommandInteraction,
    { asker }: Serving,
  ): Promise<Reply> {
    const given = readOptions(interaction.data);
    const attachment = given.attachment("image");
    const address = given.text("url");
    const pictures = attachment === undefined ? [] : [fromAttachment(attachment)];
    const subject = chooseSubject({ pictures, address, download });
    return await lookup(interaction, asker, subject, readLookupOptions(given));
  }

  async function findInMessage(
    interaction: APIMessageApplicationCommandInteraction,
    { asker }: Serving,
  ): Promise<Reply> {
    const { target_id: id, resolved } = interaction.data;
    const message = resolved.messages[id];
    const pictures = message === undefined ? [] : findPictures(message);
    const subject = chooseSubject({ pictures, address: undefined, download });
    return await lookup(interaction, asker, subject, {});
  }

  async function lookup(
    interaction: APIApplicationCommandInteraction,
    { person, place }: Serving["asker"],
    subject: Subject | undefined,
    options: ReturnType<typeof readLookupOptions>,
  ): Promise<Reply> {
    const requestId = interaction.id;
    if (subject !== undefined) return await core.lookup({ person, place, subject, options, requestId });
    const { say, language } = await core.speakerFor({ person, place });
    const texts = [
      say(isOnMessage(interaction) ? "reply.noPicture.inMessage" : "reply.noPicture.inCommand"),
      say("reply.noPicture.text"),
    ];
    return plainReply({ language, person, title: say("reply.noPicture.title"), texts });
  }
}

/** Those whose answers others may see. */
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
