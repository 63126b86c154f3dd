import type { SlashCommand } from "./command.ts";
import { describe, slashCommand } from "./localize.ts";
import { readOptions } from "./read-options.ts";

/** `/anime`: one anime of the library. */
export const anime: SlashCommand = {
  type: "slash",
  data: slashCommand("anime").addStringOption((option) =>
    describe(option, "anime.title").setMaxLength(200).setRequired(true),
  ),
  isVisible: true,
  async execute({ data }, { core, requester: { person, chat } }) {
    const title = readOptions(data).text("title") ?? "";
    return await core.anime({ person, chat, title });
  },
};
