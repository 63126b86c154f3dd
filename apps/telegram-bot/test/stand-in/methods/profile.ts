import type { Call, Handler } from "../http/call.ts";
import { describeBot } from "../state/describe.ts";
import { asObject, asObjects, asText, type Json } from "../state/json.ts";
import type { World } from "../state/world.ts";

/** The methods with which a bot tells what it is: commands and texts by scope and language. */
export function createProfile(world: World): Readonly<Record<string, Handler>> {
  const texts = [
    { name: "Name", field: "name" },
    { name: "Description", field: "description" },
    { name: "ShortDescription", field: "short_description" },
  ];

  return {
    getMe: () => describeBot(world),

    setMyCommands(call) {
      const commands = asObjects(call.parameters.commands);
      for (const { command, description } of commands) {
        if (!/^[a-z0-9_]{1,32}$/.test(String(command)))
          call.judge.refuse(
            "command",
            `"${String(command)}" is not 1-32 of a-z, 0-9 and _`,
            "Bad Request: BOT_COMMAND_INVALID",
          );
        if (String(description).trim() === "" || String(description).length > 256)
          call.judge.refuse(
            "command",
            `the description of ${String(command)} has ${String(description).length} characters, 1 to 256 are allowed`,
            "Bad Request: BOT_COMMAND_DESCRIPTION_INVALID",
          );
      }
      const names = commands.map(({ command }) => command);
      if (new Set(names).size < names.length) call.judge.blame("command", "the same command twice");
      world.commands.set(keyOf(call), commands);
      world.announce();
      return true;
    },
    deleteMyCommands(call) {
      world.commands.delete(keyOf(call));
      return true;
    },
    getMyCommands: (call) => world.commands.get(keyOf(call)) ?? [],

    ...Object.fromEntries(
      texts.flatMap(({ name, field }): readonly (readonly [string, Handler])[] => [
        [
          `setMy${name}`,
          (call) => {
            const text = asText(call.parameters[field]) ?? "";
            const key = `${field}/${languageOf(call)}`;
            if (text === "") world.profile.delete(key);
            else world.profile.set(key, text);
            world.announce();
            return true;
          },
        ],
        [
          `getMy${name}`,
          (call) => ({
            [field]:
              world.profile.get(`${field}/${languageOf(call)}`) ??
              world.profile.get(`${field}/`) ??
              (field === "name" ? world.bot.name : ""),
          }),
        ],
      ]),
    ),
  };
}

/** The key of a list of commands: its scope and language. */
export function scopeKey(scope: Json | undefined, language: string): string {
  const { type = "default", chat_id, user_id } = scope ?? {};
  return `${[type, chat_id, user_id].filter((part) => part !== undefined).join(":")}/${language}`;
}

function keyOf(call: Call): string {
  return scopeKey(asObject(call.parameters.scope), languageOf(call));
}

/** Telegram knows languages by two letters: `zh`, `pt`, never `zh-hans` or `pt-br`. */
function languageOf(call: Call): string {
  const language = asText(call.parameters.language_code) ?? "";
  if (!/^([a-z]{2})?$/.test(language))
    call.judge.refuse(
      "command",
      `"${language}" is no two-letter language`,
      "Bad Request: invalid language code specified",
    );
  return language;
}
