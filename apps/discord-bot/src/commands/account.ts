import { writeLinkContext } from "../handlers/link-context.ts";
import type { SlashCommand } from "./command.ts";
import { slashCommand } from "./localize.ts";

/** `/credits`: the remaining searches of the requester. */
export const credits: SlashCommand = {
  type: "slash",
  data: slashCommand("credits"),
  isVisible: false,
  execute: (_, { core, requester: { person, chat } }) => core.credits({ person, chat }),
};

/** `/history`: the latest searches of the requester. */
export const history: SlashCommand = {
  type: "slash",
  data: slashCommand("history"),
  isVisible: false,
  execute: (_, { core, requester: { person, chat } }) => core.history({ person, chat }),
};

/** `/link`: connects the requester's account. */
export const link: SlashCommand = {
  type: "slash",
  data: slashCommand("link"),
  isVisible: false,
  execute: (interaction, { core, requester: { person, chat } }) =>
    core.startLink({ person, chat, context: writeLinkContext(interaction, { isButton: false }) }),
};

/** `/unlink`: disconnects the account. */
export const unlink: SlashCommand = {
  type: "slash",
  data: slashCommand("unlink"),
  isVisible: false,
  execute: (_, { core, requester: { person, chat } }) => core.unlink({ person, chat }),
};

/** `/forget`: deletes all data of the requester after a confirmation. */
export const forget: SlashCommand = {
  type: "slash",
  data: slashCommand("forget"),
  isVisible: false,
  execute: (_, { core, requester: { person, chat } }) => core.forget({ person, chat }),
};
