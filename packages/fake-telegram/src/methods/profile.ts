import { asObject, asObjects, asText } from "@koma/fake-chat";
import type { Call, Handlers } from "../http/call.ts";
import { describeBot } from "../state/describe.ts";
import type { FakeState } from "../state/fake-state.ts";

/** The methods of the bot's profile: commands and texts by scope and language. */
export function createProfile(state: FakeState): Handlers {
  const setText = (field: string) => (call: Call) => {
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
        if (String(description).trim() === "")
          call.reject.refuse("command", `${String(command)} has no description`);
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

/** The key of a list of commands: the kind of its scope, and its language. */
function keyOf(call: Call): string {
  const { type = "default", ...single } = asObject(call.parameters.scope) ?? {};
  if (Object.keys(single).length > 0) call.reject.blame("command", "the fake supports no scope of one chat");
  return `${String(type)}/${languageOf(call)}`;
}

/** Telegram identifies languages by two letters: `zh`, `pt`, never `zh-hans` or `pt-br`. */
function languageOf(call: Call): string {
  const language = asText(call.parameters.language_code) ?? "";
  if (!/^([a-z]{2})?$/.test(language))
    call.reject.refuse("command", `"${language}" is no two-letter language`);
  return language;
}
