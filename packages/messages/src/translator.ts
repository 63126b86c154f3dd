import { createInstance, type ParseKeys, type ResourceKey, type TFunction } from "i18next";
import { createFormats, type FormatOptions } from "./formats.ts";
import type { English } from "./generated/english.ts";
import { directionOf, type Language } from "./language.ts";

/** The texts of the bots in English. */
type BotTexts = Omit<English, "site" | "web">;

/** The texts of the web page in English. */
type PageTexts = Pick<English, "error" | "scene" | "time" | "web">;

/** A command that texts refer to. */
export type CommandName = Exclude<keyof English["command"], "findMessage">;

/** The texts of the status page, of the pages about the site and of the operator page in English. */
type SiteTexts = Pick<English, "site">;

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "bot";
    resources: { bot: BotTexts; page: PageTexts; site: SiteTexts };
    strictKeyChecks: true;
    strictInterpolationChecks: true;
    interpolationFormatTypeMap: {
      percent: number;
      time: number;
      relative: Date;
      moment: Date;
      date: Date;
      list: readonly string[];
    };
    defaultVariables: { command: Record<CommandName | "findMessage", string> };
  }
}

/** The sets of texts. Each is an i18next namespace. */
export type TextSet = "bot" | "page" | "site";

/** The key of a text, with its area: `reply.searching`. A plural has one key without its forms. */
export type TextKey<Texts extends TextSet> = ParseKeys<Texts>;

/** Options of a translator. */
export interface TranslatorOptions extends FormatOptions {
  /**
   * The notation of a command in a text. Default: `/find`, and the localized name of the message menu entry.
   */
  readonly nameCommand?: (name: CommandName | "findMessage") => string;
  /** Writes an instant as the platform's own markup. Default: text in the language. */
  readonly formatInstant?: (instant: Date, style: "date" | "moment" | "relative") => string;
}

/** Texts, numbers, times and lists in one language. */
export interface Translator<Texts extends TextSet> extends ReturnType<typeof createFormats> {
  readonly language: Language;
  /**
   * The text of a key, without markup. i18next types the key and the placeholders; a plural takes `count`.
   */
  readonly t: TFunction<Texts>;
}

/** The translators of the bots and of the page: the area `scene` belongs to both. */
export type SceneTranslator = Translator<"bot"> | Translator<"page">;

/** Creates a translator over the texts of one language, given by area. */
export function createTranslatorOf<Texts extends TextSet>(
  language: Language,
  texts: Texts,
  resources: Record<string, ResourceKey>,
  { nameCommand, formatInstant, ...options }: TranslatorOptions,
): Translator<Texts> {
  const formats = createFormats(language, options);
  const i18n = createInstance({
    lng: language,
    load: "currentOnly",
    fallbackLng: false,
    initAsync: false,
    ns: texts,
    defaultNS: texts,
    nsSeparator: false,
    resources: { [language]: { [texts]: resources } },
    interpolation: {
      // Right to left, each inserted value is isolated (UAX #9): a Latin title, a time or a command keeps its own
      // direction and does not reorder the sentence.
      escapeValue: directionOf(language) === "rtl",
      escape: (value) => `\u2068${value}\u2069`,
      // i18next reads `{{command.find}}` from here.
      defaultVariables: { command: new Proxy({}, { has: () => true, get: (_, name) => commandText(name) }) },
    },
  });
  void i18n.init();
  const t: TFunction<Texts> = i18n.getFixedT(language, texts);
  const commandText = (name: string | symbol) => {
    const command = name as CommandName | "findMessage";
    if (nameCommand !== undefined) return nameCommand(command);
    return command === "findMessage" ? botText("command.findMessage") : `/${command}`;
  };
  // Both sets have the area `time`; only the bots' texts contain commands.
  const botText = t as TFunction<"bot">;
  const formatMoment = (instant: Date) =>
    botText("time.moment", { day: formats.formatDay(instant), clock: formats.formatClock(instant) });

  const formatter = i18n.services.formatter;
  formatter?.add("number", formats.formatNumber);
  formatter?.add("percent", formats.formatPercent);
  formatter?.add("time", formats.formatTime);
  formatter?.add("date", (instant: Date) => formatInstant?.(instant, "date") ?? formats.formatDate(instant));
  formatter?.add("list", formats.formatList);
  formatter?.add(
    "relative",
    (instant: Date) => formatInstant?.(instant, "relative") ?? formats.formatRelative(instant),
  );
  formatter?.add("moment", (instant: Date) => formatInstant?.(instant, "moment") ?? formatMoment(instant));
  return { language, t, ...formats };
}
