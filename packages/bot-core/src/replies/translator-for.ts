import { type BotTranslator, chooseLanguage, createTranslator, type Language } from "@koma/messages";
import type { BotCoreOptions } from "../model/bot-core.ts";
import type { Chat, Person } from "../model/request.ts";
import type { Settings } from "../settings/settings.ts";

/** The translator for a reader. The chat's language has less weight for a private reply. */
export type TranslatorFor = (reader: {
  person?: Person | undefined;
  chat?: Chat | undefined;
  isPrivate?: boolean | undefined;
}) => Promise<BotTranslator>;

/** Creates the function that chooses a translator by the settings of the reader and the chat. */
export function createTranslatorFor(
  options: Pick<BotCoreOptions, "nameCommand" | "formatInstant" | "timeZone">,
  { settings, now }: { settings: Settings; now: () => Date },
): TranslatorFor {
  const translatorOf = createTranslators(options, now);
  return async ({ person, chat, isPrivate }) => {
    // Without its database the bot still replies, in the language that the platform reports.
    const own = person && (await settings.ofPerson(person).catch(() => undefined));
    const there = chat && (await settings.ofChat(chat).catch(() => undefined));
    const tags = [person?.locale, chat?.locale];
    const chosen = own?.language ?? (isPrivate ? undefined : (there?.language ?? undefined));
    return translatorOf(chosen ?? chooseLanguage(tags.filter((tag) => tag !== undefined)));
  };
}

function createTranslators(
  {
    nameCommand,
    formatInstant,
    timeZone = "UTC",
  }: Pick<BotCoreOptions, "nameCommand" | "formatInstant" | "timeZone">,
  now: () => Date,
) {
  const translators = new Map<Language, ReturnType<typeof createTranslator>>();
  return (language: Language) => {
    const known = translators.get(language);
    if (known !== undefined) return known;
    const named = nameCommand && {
      nameCommand: (name: Parameters<typeof nameCommand>[0]) => nameCommand(name, language),
    };
    const translator = createTranslator(language, {
      timeZone,
      now,
      ...named,
      ...(formatInstant && { formatInstant }),
    });
    translators.set(language, translator);
    return translator;
  };
}
