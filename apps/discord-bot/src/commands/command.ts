import type { BotCore, Reply } from "@koma/bot-core";
import type {
  APIApplicationCommandInteraction,
  APIChatInputApplicationCommandInteraction,
  APIMessageApplicationCommandInteraction,
  RESTPostAPIApplicationCommandsJSONBody,
} from "discord.js";
import type { DiscordApi } from "../discord/discord-api.ts";
import type { Surroundings } from "../discord/gateway.ts";
import type { Requester } from "../handlers/requester.ts";
import type { Download } from "../images/download.ts";

/** The requester of a command, and what its execution needs. */
export type CommandContext = {
  core: BotCore;
  api: DiscordApi;
  download: Download;
  requester: Requester;
  around: Surroundings;
};

type CommandOf<Interaction extends APIApplicationCommandInteraction> = {
  /** The builder of the command's registration. */
  data: { readonly name: string; toJSON(): RESTPostAPIApplicationCommandsJSONBody };
  /** True if the reply can be public; other replies are private. */
  isVisible: boolean;
  /** The reply of the command. The handler acknowledges the interaction and sends the reply. */
  execute(interaction: Interaction, context: CommandContext): Promise<Reply>;
};

/** A slash command. */
export type SlashCommand = CommandOf<APIChatInputApplicationCommandInteraction> & { type: "slash" };

/** A command in the menu of a message. */
export type MessageCommand = CommandOf<APIMessageApplicationCommandInteraction> & { type: "message" };
