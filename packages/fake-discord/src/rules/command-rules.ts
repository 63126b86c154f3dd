import { asNumber, asObject, asObjects, asText, type Json } from "@koma/fake-chat";
import { Locale } from "discord.js";

const locales = new Set<string>(Object.values(Locale));
const namePattern = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u;

/** The problems of a list of commands that Discord rejects, in addition to its description. */
export function checkCommands(commands: readonly Json[]): readonly string[] {
  const keys = commands.map((one) => `${asNumber(one.type) ?? 1} ${String(one.name)}`);
  const twice = keys.filter((key, at) => keys.indexOf(key) !== at).map((key) => `command ${key} twice`);
  return [...twice, ...commands.flatMap(checkCommand)];
}

function checkCommand(command: Json): readonly string[] {
  const label = `command ${String(command.name)}`;
  if ((asNumber(command.type) ?? 1) === 1)
    return [...checkNamed(command, label), ...checkOptions(asObjects(command.options), label)];
  const long = textsOf(command, "name").filter((text) => text.trim() === "" || text.length > 32);
  return [
    ...checkLocales(command, label),
    ...(asText(command.description) ? [`${label}: only slash commands have a description`] : []),
    ...long.map((text) => `${label}: name "${text}" is not 1 to 32 characters`),
  ];
}

function checkOptions(options: readonly Json[], parent: string): readonly string[] {
  const isTwice = (list: readonly Json[], field: string) =>
    new Set(list.map((one) => one[field])).size < list.length;
  const firstOptional = options.findIndex((option) => option.required !== true);
  const isLateRequired =
    firstOptional >= 0 && options.slice(firstOptional).some((option) => option.required === true);
  return [
    ...(isTwice(options, "name") ? [`${parent}: an option's name twice`] : []),
    ...(isLateRequired ? [`${parent}: required options come first`] : []),
    ...options.flatMap((option) => {
      const label = `${parent} ${String(option.name)}`;
      const choices = asObjects(option.choices);
      const twice = ["name", "value"].filter((field) => isTwice(choices, field));
      return [
        ...checkNamed(option, label),
        ...twice.map((field) => `${label}: two choices of one ${field}`),
        ...choices.flatMap((choice) => checkLocales(choice, `${label}: choice ${String(choice.name)}`)),
        ...checkOptions(asObjects(option.options), label),
      ];
    }),
  ];
}

/** The name and description of a slash command or option, in every language. */
function checkNamed(named: Json, label: string): readonly string[] {
  const names = textsOf(named, "name");
  const descriptions = textsOf(named, "description").map((text) => text.length);
  return [
    ...names
      .filter((name) => !namePattern.test(name))
      .map((name) => `${label}: name "${name}" has invalid characters`),
    ...names
      .filter((name) => name !== name.toLowerCase())
      .map((name) => `${label}: name "${name}" is not lower case`),
    ...descriptions
      .filter((length) => length < 1 || length > 100)
      .map((length) => `${label}: a description of ${length} characters`),
    ...checkLocales(named, label),
  ];
}

/** A text and its translations. */
function textsOf(named: Json, field: string): readonly string[] {
  return [named[field], ...Object.values(asObject(named[`${field}_localizations`]) ?? {})].map(
    (text) => asText(text) ?? "",
  );
}

function checkLocales(named: Json, label: string): readonly string[] {
  return ["name_localizations", "description_localizations"].flatMap((field) =>
    Object.keys(asObject(named[field]) ?? {})
      .filter((key) => !locales.has(key))
      .map((key) => `${label}: ${field} has no locale ${key}`),
  );
}
