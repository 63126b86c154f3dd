import { writeLinkContext } from "../handlers/link-context.ts";
import type { SlashCommand } from "./command.ts";
import { slashCommand } from "./localize.ts";

type PlainName = "credits" | "forget" | "help" | "history" | "privacy" | "recent" | "top" | "unlink";

/** A command without options, whose reply is that of the core. */
export function plainCommand(name: PlainName, isVisible = false): SlashCommand {
  return {
    type: "slash",
    data: slashCommand(name),
    isVisible,
    execute: (_, { core, requester: { person, chat } }) => core[name]({ person, chat }),
  };
}

/** `/link`: connects the requester's account. */
export const link: SlashCommand = {
  type: "slash",
  data: slashCommand("link"),
  isVisible: false,
  execute: (interaction, { core, requester: { person, chat } }) =>
    core.startLink({ person, chat, context: writeLinkContext(interaction, { isButton: false }) }),
};
