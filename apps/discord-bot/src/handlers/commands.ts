import type { Reply } from "@koma/bot-core";
import {
  type APIApplicationCommandInteraction,
  type APIChatInputApplicationCommandInteraction,
  type APIMessageApplicationCommandInteraction,
  ApplicationCommandType,
} from "discord.js";
import { commands } from "../commands/all-commands.ts";
import type { CommandContext } from "../commands/command.ts";
import { readOptions } from "../commands/read-options.ts";
import type { InteractionParts, InteractionRun } from "./serving.ts";

/** Runs slash commands and message commands. */
export function createCommands({ core, api, sender, download, audiences }: InteractionParts) {
  return {
    async serve(interaction: APIApplicationCommandInteraction, serving: InteractionRun): Promise<void> {
      const { resumed, requester, around } = serving;
      const isPrivate =
        resumed !== undefined && "isPrivate" in resumed
          ? resumed.isPrivate
          : await decidePrivacy(interaction, serving);
      const acknowledge = () => api.deferReply(interaction, { isPrivate });
      await serving.once({ isPrivate, isResumable: true, acknowledge }, async (stage, sending) => {
        const reply = await execute(interaction, { core, api, download, requester, around });
        await sending();
        return await sender.sendReply(reply, stage);
      });
    },
  };

  /** The settings decide; until they are available, the reply is private. */
  async function decidePrivacy(
    interaction: APIApplicationCommandInteraction,
    { requester }: InteractionRun,
  ): Promise<boolean> {
    if (requester.chat.kind === "direct") return false;
    if (commands.get(interaction.data.name)?.isVisible !== true) return true;
    const isRequested = isSlash(interaction) && readOptions(interaction.data).flag("private") === true;
    if (isRequested) return true;
    return (await audiences.of(requester)) === "private";
  }
}

/** Runs the command; an unknown one, such as an old registration, gets the help. */
async function execute(
  interaction: APIApplicationCommandInteraction,
  context: CommandContext,
): Promise<Reply> {
  const command = commands.get(interaction.data.name);
  if (command?.type === "slash" && isSlash(interaction)) return await command.execute(interaction, context);
  if (command?.type === "message" && isOnMessage(interaction)) {
    return await command.execute(interaction, context);
  }
  const { person, chat } = context.requester;
  return await context.core.help({ person, chat });
}

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
