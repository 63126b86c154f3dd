import {
  type BotKey,
  type BotTranslator,
  type CommandName,
  createTranslator,
  type Language,
  languages,
} from "@koma/messages";
import {
  ApplicationIntegrationType,
  InteractionContextType,
  Locale,
  type LocalizationMap,
  type SharedNameAndDescription,
  SlashCommandBuilder,
} from "discord.js";

/** The commands that have a name and a description, and their options. */
export type DescribedKey = {
  [Key in BotKey]: Key extends `command.${infer Name}.description` ? Name : never;
}[BotKey];

/** In servers and for users who installed the bot. */
export const integrationTypes = [
  ApplicationIntegrationType.GuildInstall,
  ApplicationIntegrationType.UserInstall,
] as const;

/** In servers, in direct messages with the bot, and in chats of users who installed the bot. */
export const contexts = [
  InteractionContextType.Guild,
  InteractionContextType.BotDM,
  InteractionContextType.PrivateChannel,
] as const;

/** A slash command with its name and description in every language. */
export function slashCommand(name: Exclude<DescribedKey, `${string}.${string}`>): SlashCommandBuilder {
  return describe(new SlashCommandBuilder(), name)
    .setIntegrationTypes(...integrationTypes)
    .setContexts(...contexts);
}

/** The builder of a command or option with its name and description in every language. */
export function describe<Builder extends SharedNameAndDescription>(
  builder: Builder,
  what: DescribedKey,
): Builder {
  const name = ({ t }: BotTranslator) => t(`command.${what}.name`);
  const description = ({ t }: BotTranslator) => t(`command.${what}.description`);
  builder
    .setName(name(translators.en))
    .setNameLocalizations(localize(name))
    .setDescription(description(translators.en))
    .setDescriptionLocalizations(localize(description));
  return builder;
}

/** A value of an option with its name in every language. */
export function choose<Value extends string>(value: Value, name: (translator: BotTranslator) => string) {
  return { value, name: name(translators.en), name_localizations: localize(name) };
}

/** A text in every language of Discord that the bot has. */
export function localize(write: (translator: BotTranslator) => string): LocalizationMap {
  return Object.fromEntries(locales.map(([locale, language]) => [locale, write(translators[language])]));
}

/**
 * The notation of a command in a reader's language, as Discord shows it: Discord has no Arabic and shows the
 * English names.
 */
export function nameCommand(name: CommandName | "findMessage", language: Language): string {
  const isKnown = locales.some(([, known]) => known === language);
  const { t } = translators[isKnown ? language : "en"];
  return name === "findMessage" ? t("command.findMessage") : `/${t(`command.${name}.name`)}`;
}

const translators = Object.fromEntries(
  languages.map((language) => [language, createTranslator(language)]),
) as Record<Language, BotTranslator>;

const locales: readonly (readonly [Locale, Language])[] = [
  ...[[Locale.Japanese, "ja"] as const, [Locale.Korean, "ko"] as const],
  ...[[Locale.ChineseCN, "zh-Hans"] as const, [Locale.ChineseTW, "zh-Hant"] as const],
  ...[[Locale.SpanishES, "es"] as const, [Locale.SpanishLATAM, "es"] as const],
  ...[[Locale.PortugueseBR, "pt-BR"] as const, [Locale.Russian, "ru"] as const],
  [Locale.Indonesian, "id"] as const,
];
