import { createInstance } from "i18next";
import { createFormats, type FormatOptions } from "./formats.ts";
import type { Language } from "./language.ts";
import type { English } from "./languages/en/index.ts";
import type { KeysOf, ParametersOf, Texts } from "./texts.ts";

/** A command that texts refer to. */
export type CommandName = Exclude<keyof English["command"], "findMessage">;

/** How a speaker speaks. */
export interface SpeakerOptions extends FormatOptions {
  /** How a command is written for this reader; unless told `/find`, and a menu's entry by its own name. */
  readonly nameCommand?: (name: CommandName | "findMessage") => string;
}

/** Speaks one language: texts by key, and numbers, times and lists as that language writes them. */
export interface Speaker<T> extends ReturnType<typeof createFormats> {
  readonly language: Language;
  /** The text of a key with its parameters; plain, without markup. A plural takes `count`. */
  say<Key extends KeysOf<T>>(key: Key, ...parameters: ParametersOf<T, Key>): string;
}

/** Anyone who can speak of scenes: the bots' speakers and the page's. */
export type SceneSpeaker = Speaker<Pick<English, "scene" | "time">>;

/** A speaker of these texts. */
export function createSpeakerOf<T>(
  language: Language,
  texts: Record<keyof T & string, Texts>,
  { nameCommand, ...options }: SpeakerOptions,
): Speaker<T> {
  const formats = createFormats(language, options);
  const library = createInstance({
    lng: language,
    load: "currentOnly",
    fallbackLng: false,
    initAsync: false,
    nsSeparator: false,
    resources: { [language]: { translation: texts } },
    interpolation: { escapeValue: false },
  });
  void library.init();
  const say = (key: string, { count, ...parameters }: Record<string, unknown> = {}) =>
    library.t(key, {
      ...(typeof count === "number" && { count }),
      replace: { ...parameters, count, command },
    });
  const nameUsually = (name: CommandName | "findMessage") =>
    name === "findMessage" ? say("command.findMessage") : `/${name}`;
  /** `{{command.find}}` in a text is looked up here. */
  const command = new Proxy(
    {},
    { has: () => true, get: (_, name) => (nameCommand ?? nameUsually)(name as CommandName) },
  );
  const formatMoment = (instant: Date) =>
    say("time.moment", { day: formats.formatDay(instant), clock: formats.formatClock(instant) });

  const formatter = library.services.formatter;
  formatter?.add("number", formats.formatNumber);
  formatter?.add("percent", formats.formatPercent);
  formatter?.add("time", formats.formatTime);
  formatter?.add("date", formats.formatDate);
  formatter?.add("list", formats.formatList);
  formatter?.add("relative", (instant: Date) => formats.formatRelative(instant));
  formatter?.add("moment", formatMoment);
  return { language, say, ...formats };
}
