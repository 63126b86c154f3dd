import { languageNames, languages } from "@koma/messages";
import { SlashCommandSubcommandBuilder } from "discord.js";
import type { SlashCommand } from "./command.ts";
import { describe, slashCommand } from "./localize.ts";
import { readOptions } from "./read-options.ts";

/** `/settings mine` and `/settings server`. */
export const settings: SlashCommand = {
  type: "slash",
  data: slashCommand("settings")
    .addSubcommand(
      describe(new SlashCommandSubcommandBuilder(), "settings.mine").addStringOption((option) =>
        describe(option, "settings.language").addChoices(
          languages.map((value) => ({ name: languageNames[value], value })),
        ),
      ),
    )
    .addSubcommand(describe(new SlashCommandSubcommandBuilder(), "settings.server")),
  isVisible: false,
  async execute({ data }, { core, requester: { person, chat } }) {
    const options = readOptions(data);
    const tag = options.text("language");
    if (tag !== undefined) return await core.language({ person, chat, tag });
    const scope = options.subcommand === "server" ? "place" : "person";
    return await core.settings({ person, chat, scope });
  },
};
