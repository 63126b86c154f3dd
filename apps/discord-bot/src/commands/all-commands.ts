import { createHash } from "node:crypto";
import { Collection, type RESTPutAPIApplicationCommandsJSONBody } from "discord.js";
import { credits, forget, history, link, unlink } from "./account.ts";
import { anime } from "./anime.ts";
import type { MessageCommand, SlashCommand } from "./command.ts";
import { find, findInMessage } from "./find.ts";
import { help, privacy } from "./information.ts";
import { rankings, recent, top } from "./rankings.ts";
import { settings } from "./settings.ts";

/** All commands by their registered names. */
export const commands: ReadonlyMap<string, SlashCommand | MessageCommand> = new Collection(
  [
    ...[find, findInMessage, anime, rankings, top, recent],
    ...[history, credits, link, unlink, settings],
    ...[help, privacy, forget],
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
