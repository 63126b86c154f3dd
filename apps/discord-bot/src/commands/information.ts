import type { SlashCommand } from "./command.ts";
import { slashCommand } from "./localize.ts";

/** `/help`. */
export const help: SlashCommand = {
  type: "slash",
  data: slashCommand("help"),
  isVisible: false,
  execute: (_, { core, requester: { person, chat } }) => core.help({ person, chat }),
};

/** `/privacy`: the stored data and its retention. */
export const privacy: SlashCommand = {
  type: "slash",
  data: slashCommand("privacy"),
  isVisible: false,
  execute: (_, { core, requester: { person, chat } }) => core.privacy({ person, chat }),
};
