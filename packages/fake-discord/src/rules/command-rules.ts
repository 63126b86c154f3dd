import { asNumber, asObject, asObjects, asText, type Json } from "@koma/fake-chat";
import { Locale } from "discord.js";

const locales = new Set<string>(Object.values(Locale));
const namePattern = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u;
const limits = { 1: 100, 2: 15, 3: 15 } as const;

/**
 * The problems of a list of commands (a bulk overwrite) that Discord rejects, in addition to its description.
 */
export function checkCommands(commands: readonly Json[]): readonly string[] {
  const keys = commands.map((one) => `${asNumber(one.type) ?? 1} ${String(one.name)}`);
  const counts = ([1, 2, 3] as const).flatMap((type) => {
    const count = commands.filter((one) => (asNumber(one.type) ?? 1) === type).length;
    return count > limits[type] ? [`${count} commands of type ${type}, at most ${limits[type]}`] : [];
  });
  const twice = keys.filter((key, at) => keys.indexOf(key) !== at).map((key) => `command ${key} twice`);
  return [...counts, ...twice, ...commands.flatMap(checkCommand)];
}

/** The problems of one command that Discord rejects, in addition to its description. */
export function checkCommand(command: Json): readonly string[] {
  const type = asNumber(command.type) ?? 1;
  const name = `command ${String(command.name)}`;
  const problems = [
    ...checkLocales(command, name),
    ...(sizeOf(command) > 8000 ? [`${name}: more than 8000 characters in all`] : []),
  ];
  if (type === 1)
    return [...problems, ...checkNamed(command, name), ...checkOptions(asObjects(command.options), name)];
  if (asText(command.description)) problems.push(`${name}: only slash commands have a description`);
  if (asObjects(command.options).length > 0) problems.push(`${name}: only slash commands have options`);
  const names = [command.name, ...Object.values(asObject(command.name_localizations) ?? {})];
  for (const one of names) {
    const text = asText(one) ?? "";
    if (text.trim() === "" || text.length > 32)
      problems.push(`${name}: name "${text}" is not 1 to 32 characters`);
  }
  return problems;
}

function checkOptions(options: readonly Json[], parent: string): readonly string[] {
  const names = options.map(({ name }) => name);
  const isNested = (option: Json) => option.type === 1 || option.type === 2;
  const firstOptional = options.findIndex((option) => option.required !== true);
  const isLateRequired = options.some(
    (option, at) => option.required === true && at > firstOptional && firstOptional >= 0,
  );
  return [
    ...(new Set(names).size < names.length ? [`${parent}: an option's name twice`] : []),
    ...(isLateRequired ? [`${parent}: required options come first`] : []),
    ...(options.some(isNested) && !options.every(isNested) ? [`${parent}: subcommands beside options`] : []),
    ...options.flatMap((option) => checkOption(option, `${parent} ${String(option.name)}`)),
  ];
}

function checkOption(option: Json, name: string): readonly string[] {
  const choices = asObjects(option.choices);
  const problems = [...checkNamed(option, name), ...checkLocales(option, name)];
  if (choices.length > 0 && option.autocomplete === true) problems.push(`${name}: choices and autocomplete`);
  const [least, most] = [
    asNumber(option.min_value) ?? asNumber(option.min_length),
    asNumber(option.max_value) ?? asNumber(option.max_length),
  ];
  if (least !== undefined && most !== undefined && least > most)
    problems.push(`${name}: the minimum exceeds the maximum`);
  for (const field of ["name", "value"]) {
    const values = choices.map((choice) => choice[field]);
    if (new Set(values).size < values.length) problems.push(`${name}: two choices of one ${field}`);
    const isLong = values.some(
      (value) => typeof value === "string" && (value.length > 100 || (field === "name" && value === "")),
    );
    if (isLong) problems.push(`${name}: a choice's ${field} is not 1 to 100 characters`);
  }
  problems.push(
    ...choices.flatMap((choice) => checkLocales(choice, `${name}: choice ${String(choice.name)}`)),
  );
  return [...problems, ...checkOptions(asObjects(option.options), name)];
}

/** The name and description of a slash command or option, in every language. */
function checkNamed(named: Json, label: string): readonly string[] {
  const names = [named.name, ...Object.values(asObject(named.name_localizations) ?? {})].map(String);
  const descriptions = [named.description, ...Object.values(asObject(named.description_localizations) ?? {})];
  return [
    ...names
      .filter((name) => !namePattern.test(name))
      .map((name) => `${label}: name "${name}" has invalid characters`),
    ...names
      .filter((name) => name !== name.toLowerCase())
      .map((name) => `${label}: name "${name}" is not lower case`),
    ...descriptions.flatMap((text) => {
      const length = asText(text)?.length ?? 0;
      return length < 1 || length > 100 ? [`${label}: a description of ${length} characters`] : [];
    }),
  ];
}

function checkLocales(named: Json, label: string): readonly string[] {
  return ["name_localizations", "description_localizations"].flatMap((field) =>
    Object.keys(asObject(named[field]) ?? {})
      .filter((key) => !locales.has(key))
      .map((key) => `${label}: ${field} has no locale ${key}`),
  );
}

/** The number of characters of names, descriptions and values, with the longest translation of each. */
function sizeOf(named: Json): number {
  const longest = (field: string) =>
    Math.max(
      ...[named[field], ...Object.values(asObject(named[`${field}_localizations`]) ?? {})].map(
        (text) => asText(text)?.length ?? 0,
      ),
    );
  const value = asText(named.value)?.length ?? 0;
  const inner = [...asObjects(named.options), ...asObjects(named.choices)].reduce(
    (sum, one) => sum + sizeOf(one),
    0,
  );
  return longest("name") + longest("description") + value + inner;
}
