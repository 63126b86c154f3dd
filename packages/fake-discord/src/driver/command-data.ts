import { asNumber, asObject, asObjects, asText, getFrom, type Json } from "@koma/fake-chat";
import type { APIApplicationCommand } from "discord.js";
import { describeChannel } from "../describe/describe-guild.ts";
import { describeAttachment, describeMessage } from "../describe/describe-message.ts";
import { describeMember, describeUser } from "../describe/describe-user.ts";
import type { FakeState, StoredChannel, StoredMessage } from "../state/fake-state.ts";
import type { Messages } from "../state/messages.ts";
import type { Channel, OptionValue, OwnFile, User } from "../types.ts";
import { checkTyped } from "./find-command.ts";

/** The `data` of a slash command: options with resolved references and hosted files. */
export function createCommandData(
  state: FakeState,
  messages: Messages,
  command: APIApplicationCommand,
  expected: {
    path: readonly string[];
    typed: Readonly<Record<string, OptionValue>>;
    channel: StoredChannel;
    focused?: string;
  },
): Json {
  const resolved: Record<string, Record<string, Json>> = {};
  const register = (kind: string, id: string, value: Json): string => {
    resolved[kind] = { ...resolved[kind], [id]: value };
    return id;
  };

  const resolve = (value: OptionValue): string | number | boolean => {
    if (typeof value !== "object") return value;
    if (isFile(value)) {
      const name = `${value.isSpoiler ? "SPOILER_" : ""}${value.name}`;
      const file = messages.host(expected.channel.id, { ...value, name }, true);
      return register("attachments", file.id, describeAttachment(state, file));
    }
    if (isUser(value)) {
      const guild =
        expected.channel.guildId === undefined
          ? undefined
          : getFrom(state.guilds, expected.channel.guildId, "guild");
      if (guild) register("members", value.id, { ...describeMember(guild, value.id), permissions: "0" });
      return register("users", value.id, describeUser(getFrom(state.users, value.id, "user")));
    }
    return register(
      "channels",
      value.id,
      describeChannel(state, getFrom(state.channels, value.id, "channel")),
    );
  };

  const build = (options: readonly Json[], path: readonly string[]): readonly Json[] => {
    const [next, ...rest] = path;
    if (next !== undefined) {
      const nested = options.find((one) => one.name === next && (one.type === 1 || one.type === 2));
      if (!nested) throw new Error(`${command.name} has no subcommand ${next}.`);
      return [{ type: nested.type, name: next, options: build(asObjects(nested.options), rest) }];
    }
    if (options.some((one) => one.type === 1 || one.type === 2))
      throw new Error(`${command.name} needs a subcommand.`);
    checkTyped(options, expected.typed, expected.focused === undefined);
    return Object.entries(expected.typed).map(([name, value]) => ({
      type: asNumber(options.find((one) => one.name === name)?.type) ?? 3,
      name,
      value: resolve(value),
      ...(name === expected.focused && { focused: true }),
    }));
  };

  const options = build(asObjects(command.options), expected.path);
  const hasResolved = Object.keys(resolved).length > 0;
  return { id: command.id, type: 1, name: command.name, options, ...(hasResolved && { resolved }) };
}

/** The `data` of a message command; it contains the message's content regardless of intents. */
export function createMessageCommandData(
  state: FakeState,
  command: APIApplicationCommand,
  target: StoredMessage,
): Json {
  return {
    id: command.id,
    type: 3,
    name: command.name,
    target_id: target.id,
    resolved: { messages: { [target.id]: describeMessage(state, target) } },
  };
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
  const attachments: Record<string, Json> = {};
  const fill = (input: Json, id: number): Json => {
    const name = asText(input.custom_id) ?? "";
    left.delete(name);
    const value = values[name] ?? asText(input.value) ?? "";
    const most = asNumber(input.max_length) ?? 4000;
    const isMissing = input.required !== false && value === "";
    if (isMissing) throw new Error(`Field ${name} is required.`);
    if (typeof value === "string" && value.length > most)
      throw new Error(`Field ${name} is longer than ${most}.`);
    if (typeof value !== "string") {
      const file = messages.host(channelId, value, true);
      attachments[file.id] = describeAttachment(state, file);
      return { type: input.type, id, custom_id: name, values: [file.id] };
    }
    const isText = input.type === 4;
    return isText
      ? { type: 4, id, custom_id: name, value }
      : { type: input.type, id, custom_id: name, values: value ? [value] : [] };
  };
  const components = asObjects(modal.components).map((top, at) => {
    const id = at * 10 + 1;
    const inner = asObject(top.component);
    if (inner) return { type: 18, id, component: fill(inner, id + 1) };
    if (top.type === 10) return { type: 10, id };
    return {
      type: 1,
      id,
      components: asObjects(top.components).map((input, index) => fill(input, id + 1 + index)),
    };
  });
  if (left.size > 0) throw new Error(`The modal has no field ${[...left].join(", ")}.`);
  const hasFiles = Object.keys(attachments).length > 0;
  return { custom_id: modal.custom_id, components, ...(hasFiles && { resolved: { attachments } }) };
}

function isFile(value: object): value is OwnFile {
  return "bytes" in value;
}

function isUser(value: User | Channel): value is User {
  return "direct" in value;
}
