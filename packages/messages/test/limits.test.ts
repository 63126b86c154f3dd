import { describe, expect, test } from "vitest";
import { type BotTranslator, createTranslator, languages } from "../src/index.ts";
import command from "../src/locales/en/command.json" with { type: "json" };
import { botKeys, now, sampleParameters } from "./fixtures/texts.ts";

type Translate = (key: string, parameters: Record<string, unknown>) => string;

/** Lengths in UTF-16 units, as Discord and Telegram count them. */
const limits: readonly [keys: RegExp, limit: number, what: string][] = [
  [/^button\./, 34, "a button on a phone (Discord's limit is 80)"],
  [/^command\.(.+\.)?name$/, 32, "a Discord command"],
  [/^command\.findMessage$/, 32, "a Discord menu command"],
  [/^command\..*description$/, 100, "a Discord description (Telegram's limit is 256)"],
  [/^command\.find\.preview\.(clip|still|none)$|^reply\.rankings\.period\./, 100, "a Discord choice"],
  [
    /^settings\.(.+\.)?(label|on|off|clip|still|none|public|private|all|automatic|placeholder)$/,
    100,
    "a select option",
  ],
  [/^reply\.anime\.several$/, 100, "the placeholder of a menu"],
  [/^link\.paste\.(title|label)$/, 45, "a Discord modal"],
  [/^link\.paste\.placeholder$/, 100, "a Discord text field"],
  [/^profile\.name$/, 64, "a Telegram bot's name"],
  [/^profile\.short$/, 120, "a Telegram bot's short description"],
  [/^profile\.long$/, 512, "a Telegram bot's description (Discord's is 400)"],
  [
    /^reply\.(confirmThanks|confirmTaken|confirmLate|onlyAsker|gone|deleted|oops)$|^settings\.(saved|only\w+)$/,
    200,
    "a response to a Telegram callback query",
  ],
];

describe.each(languages)("%s", (language) => {
  const translator = createTranslator(language, { timeZone: "UTC", now: () => now });
  const translate = translator.t as Translate;

  test.each(limits)("%s is at most %i long: %s", (keys, limit) => {
    const matching = [...botKeys].filter(([key]) => keys.test(key));
    expect(matching.length).toBeGreaterThan(0);
    for (const [key, placeholders] of matching) {
      const text = translate(key, sampleParameters(placeholders, true));
      expect(text.length, `${key}: ${text}`).toBeLessThanOrEqual(limit);
    }
  });

  test("help and privacy each fit a message of Discord (4000) and of Telegram (4096)", () => {
    for (const area of ["help.", "privacy."]) {
      const texts = [...botKeys].filter(([key]) => key.startsWith(area));
      const length = texts.reduce((sum, [key, p]) => sum + translate(key, sampleParameters(p)).length + 6, 0);
      expect(length).toBeLessThan(3800);
    }
  });

  test("command names are valid on Discord and differ from each other", () => {
    for (const names of listNames(translator)) {
      for (const name of names) {
        expect(name).toMatch(/^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u);
        expect(name).toBe(name.toLowerCase());
      }
      expect(new Set(names).size).toBe(names.length);
    }
  });
});

test("Telegram keeps the English command names", () => {
  const [names = []] = listNames(createTranslator("en"));
  for (const name of names) expect(name).toMatch(/^[a-z0-9_]{1,32}$/);
});

/** The names that must differ from each other: the commands, and within each command its options. */
function listNames({ t: translate }: BotTranslator): string[][] {
  const name = (path: string) => (translate as Translate)(`command.${path}.name`, {});
  const commands = Object.entries(command).filter(([, value]) => typeof value !== "string");
  const options = commands.map(([key, value]) =>
    Object.entries(value)
      .filter(([, option]) => typeof option === "object")
      .map(([option]) => name(`${key}.${option}`)),
  );
  return [commands.map(([key]) => name(key)), ...options];
}
