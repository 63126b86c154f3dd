import { asObject, asObjects, asText, type Json } from "@koma/fake-chat";
import type { Call, Handler } from "../http/call.ts";
import { describeBot } from "../state/describe.ts";
import type { FakeState } from "../state/fake-state.ts";

/** The methods of the bot's profile: commands and texts by scope and language. */
export function createProfile(state: FakeState): Readonly<Record<string, Handler>> {
  const setText =
    (field: string): Handler =>
    (call) => {
      const text = asText(call.parameters[field]) ?? "";
      const key = `${field}/${languageOf(call)}`;
      if (text === "") state.profile.delete(key);
      else state.profile.set(key, text);
      state.announce();
      return true;
    };

  return {
    getMe: () => describeBot(state),

    setMyCommands(call) {
      const commands = asObjects(call.parameters.commands);
      for (const { command, description } of commands) {
        if (!/^[a-z0-9_]{1,32}$/.test(String(command)))
          call.reject.refuse("command", `"${String(command)}" is not 1-32 of a-z, 0-9 and _`);
        if (String(description).trim() === "" || String(description).length > 256)
          call.reject.refuse(
            "command",
            `the description of ${String(command)} has ${String(description).length} characters, 1 to 256 are allowed`,
          );
      }
      const names = commands.map(({ command }) => command);
      if (new Set(names).size < names.length) call.reject.blame("command", "the same command twice");
      state.commands.set(keyOf(call), commands);
      state.announce();
      return true;
    },
    setMyName: setText("name"),
    setMyDescription: setText("description"),
    setMyShortDescription: setText("short_description"),
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

/** Telegram identifies languages by two letters: `zh`, `pt`, never `zh-hans` or `pt-br`. */
function languageOf(call: Call): string {
  const language = asText(call.parameters.language_code) ?? "";
  if (!/^([a-z]{2})?$/.test(language))
    call.reject.refuse("command", `"${language}" is no two-letter language`);
  return language;
}
