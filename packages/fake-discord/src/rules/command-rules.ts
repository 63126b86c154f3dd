import { asNumber, asObject, asObjects, asText, type Json } from "@koma/fake-chat";

const namePattern = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u;

/** The problems of a list of commands that Discord rejects, and neither its description nor discord.js. */
export function checkCommands(commands: readonly Json[]): readonly string[] {
  const keys = commands.map((one) => `${asNumber(one.type) ?? 1} ${String(one.name)}`);
  const twice = keys.filter((key, at) => keys.indexOf(key) !== at).map((key) => `command ${key} twice`);
  const slash = commands.filter(({ type }) => (asNumber(type) ?? 1) === 1);
  return [...twice, ...slash.flatMap((command) => checkNamed(command, "command"))];
}

/** The name and description of a slash command or option in every language, and its options. */
function checkNamed(named: Json, parent: string): readonly string[] {
  const label = `${parent} ${String(named.name)}`;
  const options = asObjects(named.options);
  const firstOptional = options.findIndex(({ required }) => required !== true);
  const isLate = firstOptional >= 0 && options.slice(firstOptional).some(({ required }) => required === true);
  return [
    ...(isLate ? [`${label}: required options come first`] : []),
    ...textsOf(named, "name")
      .filter((name) => !namePattern.test(name) || name !== name.toLowerCase())
      .map((name) => `${label}: name "${name}" has invalid characters`),
    ...textsOf(named, "description")
      .filter(({ length }) => length < 1 || length > 100)
      .map(({ length }) => `${label}: a description of ${length} characters`),
    ...options.flatMap((option) => checkNamed(option, label)),
  ];
}

/** A text and its translations. */
function textsOf(named: Json, field: string): readonly string[] {
  return [named[field], ...Object.values(asObject(named[`${field}_localizations`]) ?? {})].map(
    (text) => asText(text) ?? "",
  );
}
