import { createHash } from "node:crypto";
import {
  type BotKey,
  type BotTranslator,
  type CommandName,
  createTranslator,
  type Language,
  languageNames,
  languages,
} from "@koma/messages";
import {
  type APIApplicationCommandStringOption,
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ApplicationIntegrationType,
  InteractionContextType,
  Locale,
  type LocalizationMap,
  type RESTPostAPIChatInputApplicationCommandsJSONBody,
  type RESTPostAPIContextMenuApplicationCommandsJSONBody,
  type RESTPutAPIApplicationCommandsJSONBody,
} from "discord.js";

/** The commands of the bot. Discord sends these names in every language. */
export const commandNames = {
  find: "find",
  findMessage: "Find anime scene",
  rankings: "rankings",
  recent: "recent",
  credits: "credits",
  link: "link",
  unlink: "unlink",
  settings: "settings",
  help: "help",
  privacy: "privacy",
  forget: "forget",
} as const;

/** The periods of the rankings, with the API's names. */
export const periods = ["daily", "weekly", "monthly", "yearly", "all"] as const;
/** The kinds of preview. */
export const previews = ["clip", "still", "none"] as const;

/**
 * All commands for Discord's registration: named and described in every language, for guild and user
 * installations.
 */
export function defineCommands(): RESTPutAPIApplicationCommandsJSONBody {
  const find: Option[] = [
    { ...describe("find.image"), type: ApplicationCommandOptionType.Attachment },
    { ...describe("find.url"), type: ApplicationCommandOptionType.String, max_length: 2000 },
    { ...describe("find.frame"), type: ApplicationCommandOptionType.Number, min_value: 0, max_value: 86_400 },
    {
      ...describe("find.preview"),
      type: ApplicationCommandOptionType.String,
      choices: previews.map((value) =>
        choose(value, ({ t: writeDescription }) => writeDescription(`command.find.preview.${value}`)),
      ),
    },
    { ...describe("find.mute"), type: ApplicationCommandOptionType.Boolean },
    { ...describe("find.crop"), type: ApplicationCommandOptionType.Boolean },
    { ...describe("find.private"), type: ApplicationCommandOptionType.Boolean },
  ];
  const period: Option = {
    ...describe("rankings.period"),
    type: ApplicationCommandOptionType.String,
    choices: periods.map((value) =>
      choose(value, ({ t: writeDescription }) => writeDescription(`reply.rankings.period.${value}`)),
    ),
  };
  const language: APIApplicationCommandStringOption = {
    ...describe("settings.language"),
    type: ApplicationCommandOptionType.String,
    choices: [...languages.map((value) => ({ name: languageNames[value], value }))],
  };
  const mine: Option = {
    ...describe("settings.mine"),
    type: ApplicationCommandOptionType.Subcommand,
    options: [language],
  };
  const server: Option = { ...describe("settings.server"), type: ApplicationCommandOptionType.Subcommand };
  const findMessage: RESTPostAPIContextMenuApplicationCommandsJSONBody = {
    ...everywhere,
    type: ApplicationCommandType.Message,
    name: commandNames.findMessage,
    name_localizations: localize(({ t: writeDescription }) =>
      writeDescription("command.findMessage").slice(0, 32),
    ),
  };
  return [
    ...[slash("find", find), findMessage, slash("rankings", [period]), slash("recent"), slash("credits")],
    ...[slash("link"), slash("unlink"), slash("settings", [mine, server])],
    ...[slash("help"), slash("privacy"), slash("forget")],
  ];
}

/** The notation of a command in a reader's language, as Discord shows it. */
export function nameCommand(name: CommandName | "findMessage", language: Language): string {
  const { t: writeDescription } = translators[language];
  return name === "findMessage"
    ? writeDescription("command.findMessage")
    : `/${writeDescription(`command.${name}.name`)}`;
}

/** A hash of the registered commands. */
export function hashCommands(commands: RESTPutAPIApplicationCommandsJSONBody): string {
  return createHash("sha256").update(JSON.stringify(commands)).digest("hex");
}

type SlashName = Exclude<keyof typeof commandNames, "findMessage">;
type Option = NonNullable<RESTPostAPIChatInputApplicationCommandsJSONBody["options"]>[number];

/** In servers, in direct messages with the bot, and in chats of users who installed the bot. */
const everywhere = {
  integration_types: [ApplicationIntegrationType.GuildInstall, ApplicationIntegrationType.UserInstall],
  contexts: [
    InteractionContextType.Guild,
    InteractionContextType.BotDM,
    InteractionContextType.PrivateChannel,
  ],
};

const translators = Object.fromEntries(
  languages.map((language) => [language, createTranslator(language)]),
) as Record<Language, BotTranslator>;

const locales: readonly (readonly [Locale, Language])[] = [
  ...[[Locale.Japanese, "ja"] as const, [Locale.Korean, "ko"] as const],
  ...[[Locale.ChineseCN, "zh-Hans"] as const, [Locale.ChineseTW, "zh-Hant"] as const],
  ...[[Locale.SpanishES, "es"] as const, [Locale.SpanishLATAM, "es"] as const],
  [Locale.PortugueseBR, "pt-BR"] as const,
];

type DescribedKey = {
  [Key in BotKey]: Key extends `command.${infer Name}.description` ? Name : never;
}[BotKey];

function slash(name: SlashName, options?: Option[]): RESTPostAPIChatInputApplicationCommandsJSONBody {
  return {
    ...everywhere,
    ...describe(name),
    type: ApplicationCommandType.ChatInput,
    ...(options === undefined ? {} : { options }),
  };
}

function describe(what: DescribedKey) {
  const name = ({ t: writeDescription }: BotTranslator) => writeDescription(`command.${what}.name`);
  const description = ({ t: writeDescription }: BotTranslator) =>
    writeDescription(`command.${what}.description`);
  return {
    name: name(translators.en),
    name_localizations: localize(name),
    description: description(translators.en),
    description_localizations: localize(description),
  };
}

function choose(value: string, name: (translator: BotTranslator) => string) {
  return { value, name: name(translators.en), name_localizations: localize(name) };
}

function localize(writeDescription: (translator: BotTranslator) => string): LocalizationMap {
  return Object.fromEntries(
    locales.map(([locale, language]) => [locale, writeDescription(translators[language])]),
  );
}
