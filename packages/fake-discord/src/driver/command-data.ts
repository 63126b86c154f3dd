import { asNumber, asObject, asObjects, asText, type Json } from "@koma/fake-chat";
import type { APIApplicationCommand } from "discord.js";
import { describeAttachment } from "../describe/describe-message.ts";
import type { Channel } from "../state/channels.ts";
import type { FakeState } from "../state/fake-state.ts";
import type { Messages } from "../state/messages.ts";
import type { OwnFile } from "../types.ts";

/** The options of a slash command as a user types them. */
export type Typed = Readonly<Record<string, string | number | boolean | OwnFile>>;

/** The `data` of a slash command: options with hosted files. */
export function createCommandData(
  state: FakeState,
  messages: Messages,
  command: APIApplicationCommand,
  { path, typed, channel }: { path: readonly string[]; typed: Typed; channel: Channel },
): Json {
  const attachments: Record<string, Json> = {};
  const host = (file: OwnFile): string => {
    const stored = messages.host(channel.id, file, true);
    attachments[stored.id] = describeAttachment(state, stored);
    return stored.id;
  };
  const isNested = ({ type }: Json) => type === 1 || type === 2;

  const build = (options: readonly Json[], [next, ...rest]: readonly string[]): readonly Json[] => {
    if (next !== undefined) {
      const nested = options.find((one) => one.name === next && isNested(one));
      if (!nested) throw new Error(`${command.name} has no subcommand ${next}.`);
      return [{ type: nested.type, name: next, options: build(asObjects(nested.options), rest) }];
    }
    if (options.some(isNested)) throw new Error(`${command.name} needs a subcommand.`);
    checkTyped(options, typed);
    return Object.entries(typed).map(([name, value]) => ({
      type: asNumber(options.find((one) => one.name === name)?.type) ?? 3,
      name,
      value: typeof value === "object" ? host(value) : value,
    }));
  };

  const options = build(asObjects(command.options), path);
  const resolved = Object.keys(attachments).length > 0 && { resolved: { attachments } };
  return { id: command.id, type: 1, name: command.name, options, ...resolved };
}

/** The `data` of a submitted modal; throws if a field is unknown, missing or too long. */
export function createModalData(modal: Json, values: Readonly<Record<string, string>>): Json {
  const left = new Set(Object.keys(values));
  const fill = (input: Json, id: number): Json => {
    const custom_id = asText(input.custom_id) ?? "";
    left.delete(custom_id);
    const value = values[custom_id] ?? asText(input.value) ?? "";
    const most = asNumber(input.max_length) ?? 4000;
    if (input.required !== false && value === "") throw new Error(`Field ${custom_id} is required.`);
    if (value.length > most) throw new Error(`Field ${custom_id} is longer than ${most}.`);
    return { type: input.type, id, custom_id, value };
  };
  const components = asObjects(modal.components).map((top, at) => {
    const id = at * 10 + 1;
    return { type: 18, id, component: fill(asObject(top.component) ?? {}, id + 1) };
  });
  if (left.size > 0) throw new Error(`The modal has no field ${[...left].join(", ")}.`);
  return { custom_id: modal.custom_id, components };
}

/** Throws if an option is not valid for the command. */
function checkTyped(options: readonly Json[], typed: Typed): void {
  const unknown = Object.keys(typed).find((name) => !options.some((option) => option.name === name));
  if (unknown !== undefined) throw new Error(`There is no option ${unknown}.`);
  for (const option of options) {
    const value = typed[asText(option.name) ?? ""];
    const name = String(option.name);
    if (value === undefined && option.required === true) throw new Error(`Option ${name} is required.`);
    const choices = asObjects(option.choices);
    if (value !== undefined && choices.length > 0 && !choices.some((choice) => choice.value === value))
      throw new Error(`${name}: ${String(value)} is not a valid choice.`);
  }
}
