import { asNumber, asObject, asObjects, asText, type Json } from "@koma/fake-chat";
import type { APIApplicationCommand } from "discord.js";
import { describeAttachment } from "../describe/describe-message.ts";
import type { FakeState } from "../state/fake-state.ts";
import type { Messages } from "../state/messages.ts";
import type { Channel, OwnFile } from "../types.ts";

type Typed = Readonly<Record<string, string | number | boolean | OwnFile>>;

/** Hosts the files of an interaction, and collects their descriptions. */
function createUploads(state: FakeState, messages: Messages, channelId: string) {
  const attachments: Record<string, Json> = {};
  return {
    host(file: OwnFile): string {
      const name = `${file.isSpoiler ? "SPOILER_" : ""}${file.name}`;
      const stored = messages.host(channelId, { ...file, name }, true);
      attachments[stored.id] = describeAttachment(state, stored);
      return stored.id;
    },
    resolved: (): Json => (Object.keys(attachments).length > 0 ? { resolved: { attachments } } : {}),
  };
}

/** The `data` of a slash command: options with hosted files. */
export function createCommandData(
  state: FakeState,
  messages: Messages,
  command: APIApplicationCommand,
  { path, typed, channel }: { path: readonly string[]; typed: Typed; channel: Channel },
): Json {
  const uploads = createUploads(state, messages, channel.id);
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
      value: typeof value === "object" ? uploads.host(value) : value,
    }));
  };

  const options = build(asObjects(command.options), path);
  return { id: command.id, type: 1, name: command.name, options, ...uploads.resolved() };
}

/** The `data` of a submitted modal; throws if a field is unknown, missing or too long. */
export function createModalData(
  state: FakeState,
  messages: Messages,
  modal: Json,
  values: Readonly<Record<string, string | OwnFile>>,
  channelId: string,
): Json {
  const left = new Set(Object.keys(values));
  const uploads = createUploads(state, messages, channelId);
  const fill = (input: Json, id: number): Json => {
    const custom_id = asText(input.custom_id) ?? "";
    left.delete(custom_id);
    const value = values[custom_id] ?? asText(input.value) ?? "";
    const most = asNumber(input.max_length) ?? 4000;
    if (input.required !== false && value === "") throw new Error(`Field ${custom_id} is required.`);
    if (typeof value === "string" && value.length > most)
      throw new Error(`Field ${custom_id} is longer than ${most}.`);
    if (input.type === 4) return { type: 4, id, custom_id, value };
    const chosen = typeof value === "string" ? [value].filter(Boolean) : [uploads.host(value)];
    return { type: input.type, id, custom_id, values: chosen };
  };
  const components = asObjects(modal.components).map((top, at) => {
    const id = at * 10 + 1;
    const inner = asObject(top.component);
    if (inner) return { type: 18, id, component: fill(inner, id + 1) };
    if (top.type === 10) return { type: 10, id };
    const inputs = asObjects(top.components).map((input, index) => fill(input, id + 1 + index));
    return { type: 1, id, components: inputs };
  });
  if (left.size > 0) throw new Error(`The modal has no field ${[...left].join(", ")}.`);
  return { custom_id: modal.custom_id, components, ...uploads.resolved() };
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
    const [least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY] = [
      asNumber(option.min_value),
      asNumber(option.max_value),
    ];
    if (typeof value === "number" && (value < least || value > most))
      throw new Error(`${name}: ${value} is out of its range.`);
  }
}
