import { type BotTranslator, createTranslator, type Language } from "@koma/messages";
import type { BotCommand, BotCommandScope } from "grammy/types";
import { commandNames } from "../handlers/is-relevant.ts";

/** One part of the bot's profile, for one language. */
export type ProfilePart =
  | { what: "name" | "description" | "short"; languageCode: string; text: string }
  | { what: "commands"; languageCode: string; scope: BotCommandScope["type"]; commands: BotCommand[] };

/** Telegram identifies languages by two letters; the empty code applies to all others. */
const languageCodes: readonly (readonly [code: string, language: Language])[] = [
  ["", "en"],
  ["zh", "zh-Hans"],
  ["pt", "pt-BR"],
  ...(["ja", "ko", "es", "ru", "id", "ar"] as const).map((language) => [language, language] as const),
];

type Name = (typeof commandNames)[number];
const inGroups: readonly Name[] = ["find", "anime", "rankings", "top", "recent", "credits", "help"];

/** The commands that are listed per kind of chat; all of them work everywhere. */
const scopes: readonly (readonly [BotCommandScope["type"], readonly Name[]])[] = [
  ["default", ["find", "help"]],
  ["all_private_chats", commandNames.filter((name) => name !== "top")],
  ["all_group_chats", inGroups],
  ["all_chat_administrators", [...inGroups, "settings"]],
];

/** All parts of the bot's profile. */
export function defineProfile(): ProfilePart[] {
  return languageCodes.flatMap(([languageCode, language]): ProfilePart[] => {
    const translator = createTranslator(language);
    const { t } = translator;
    return [
      ...scopes.map(([scope, names]) => ({
        what: "commands" as const,
        languageCode,
        scope,
        commands: names.map((name) => describe(name, translator)),
      })),
      { what: "description", languageCode, text: t("profile.long") },
      { what: "short", languageCode, text: t("profile.short") },
      { what: "name", languageCode, text: t("profile.name") },
    ];
  });
}

/** Telegram's command names are limited to Latin letters, so they are not translated. */
function describe(command: Name, { t }: BotTranslator): BotCommand {
  return { command, description: t(`command.${command}.description`) };
}
