import { createHash } from "node:crypto";
import { Collection, type RESTPutAPIApplicationCommandsJSONBody } from "discord.js";
import { anime } from "./anime.ts";
import type { MessageCommand, SlashCommand } from "./command.ts";
import { find, findInMessage } from "./find.ts";
import { link, plainCommand } from "./plain-commands.ts";
import { rankings } from "./rankings.ts";
import { settings } from "./settings.ts";

/** All commands by their registered names. */
export const commands: ReadonlyMap<string, SlashCommand | MessageCommand> = new Collection(
  [
    ...[find, findInMessage, anime, rankings, plainCommand("top", true), plainCommand("recent", true)],
    ...[plainCommand("history"), plainCommand("credits"), link, plainCommand("unlink"), settings],
    ...[plainCommand("help"), plainCommand("privacy"), plainCommand("forget")],
  ].map((command) => [command.data.name, command]),
);

/** All commands for Discord's registration. */
export function defineCommands(): RESTPutAPIApplicationCommandsJSONBody {
  return [...commands.values()].map(({ data }) => data.toJSON());
}

/** A hash of the registered commands. */
export function hashCommands(defined: RESTPutAPIApplicationCommandsJSONBody): string {
  return createHash("sha256").update(JSON.stringify(defined)).digest("hex");
}
