import { asNumber, asObject, asObjects, asText, compact, type Json } from "@koma/fake-chat";
import type { APIApplicationCommand, PermissionResolvable } from "discord.js";
import { describeMessage, mayReadWithoutIntent } from "../describe/describe-message.ts";
import { describeChannel, describeOwnApplication } from "../describe/describe-user.ts";
import type { Channel, Message } from "../state/channels.ts";
import type { FakeState } from "../state/fake-state.ts";
import type { Messages } from "../state/messages.ts";
import type { Call, Routes } from "./call.ts";
import { DiscordProblem } from "./problems.ts";
import type { Writer } from "./write-message.ts";

/** The routes for the bot's token: the gateway's address, the application, commands, channels and messages. */
export function createChannelRoutes(
  state: FakeState,
  { messages, write }: { messages: Messages; write: Writer },
): Routes {
  const holds = (channel: Channel, needs: PermissionResolvable) => channel.allows(state.bot.id, needs);

  const reach = (call: Call, needs: PermissionResolvable = []): Channel => {
    const channel = state.channels.get(call.parameters.channel_id ?? "");
    if (channel === undefined) throw new DiscordProblem(10003);
    if (channel.kind === "group") throw new DiscordProblem(50001);
    if (channel.guild && (!channel.guild.hasBot || !holds(channel, "ViewChannel")))
      throw new DiscordProblem(50001);
    if (!holds(channel, needs)) throw new DiscordProblem(50013);
    return channel;
  };

  const findMessage = (call: Call, channel: Channel): Message => {
    const message = state.messages.get(call.parameters.message_id ?? "");
    const isThere = message?.channel === channel && !message.isDeleted && message.visibleTo === undefined;
    if (!message || !isThere) throw new DiscordProblem(10008);
    return message;
  };

  const describeStored = (message: Message): Json =>
    describeMessage(
      state,
      message,
      (one) => state.settings.hasMessageContent || mayReadWithoutIntent(state, one),
    );

  const findReplied = (channel: Channel, reference: Json | undefined): Message | undefined => {
    if (reference === undefined || reference.type === 1) return undefined;
    if (!holds(channel, "ReadMessageHistory")) throw new DiscordProblem(160002);
    const target = state.messages.get(asText(reference.message_id) ?? "");
    if (target && !target.isDeleted && target.channel === channel) return target;
    if (reference.fail_if_not_exists === false) return undefined;
    const _errors = [{ code: "REPLIES_UNKNOWN_MESSAGE", message: "Unknown message" }];
    throw new DiscordProblem(50035, { details: { message_reference: { _errors } } });
  };

  const create = (call: Call): Json => {
    const { fields } = call;
    const channel = reach(call, "SendMessages");
    if (call.files.length > 0 && !holds(channel, "AttachFiles")) throw new DiscordProblem(50013);
    if (channel.kind === "direct" && !channel.recipients[0]?.acceptsDirect) throw new DiscordProblem(50007);
    const message = findReplied(channel, asObject(fields.message_reference));
    const twin =
      fields.enforce_nonce === true && fields.nonce !== undefined
        ? channel.history.find((one) => one.nonce === fields.nonce && one.author === state.bot)
        : undefined;
    if (twin) return describeStored(twin);
    const written = write(call, fields, { way: "channel", channel, repliedTo: message?.author.id });
    const created = messages.create({
      ...written,
      channel,
      author: state.bot,
      type: message ? 19 : 0,
      reference: message && { type: 0, message },
    });
    return describeStored(created);
  };

  const change = (call: Call): Json => {
    const channel = reach(call);
    const before = findMessage(call, channel);
    if (before.author !== state.bot) throw new DiscordProblem(50005);
    messages.edit(before, write(call, call.fields, { way: "channel-edit", channel, before }));
    return describeStored(before);
  };

  const remove = (call: Call): void => {
    const channel = reach(call);
    const message = findMessage(call, channel);
    if (message.author !== state.bot) {
      if (channel.kind !== "guild") throw new DiscordProblem(50003);
      if (!holds(channel, "ManageMessages")) throw new DiscordProblem(50013);
    }
    messages.delete(message);
  };

  const list = (call: Call): readonly Json[] => {
    const channel = reach(call, "ReadMessageHistory");
    const { after, limit = "50" } = call.query;
    const expected = channel.history.filter(
      ({ id, isDeleted, visibleTo }) =>
        !isDeleted && visibleTo === undefined && (after === undefined || BigInt(id) > BigInt(after)),
    );
    return expected.slice(-Number(limit)).reverse().map(describeStored);
  };

  const ensureOwn = (call: Call) => {
    if (call.parameters.application_id !== state.bot.id) throw new DiscordProblem(20012);
  };

  return {
    "GET /gateway/bot": () => ({
      url: `${state.origin.replace("http", "ws")}/gateway`,
      shards: 1,
      session_start_limit: { total: 1000, remaining: 999, reset_after: 86_400_000, max_concurrency: 1 },
    }),
    "GET /applications/@me": () => describeOwnApplication(state),
    "GET /applications/{application_id}/commands"(call) {
      ensureOwn(call);
      return state.commands;
    },
    "PUT /applications/{application_id}/commands"(call) {
      ensureOwn(call);
      state.commands = asObjects(call.body).map((one) => describeCommand(state, one));
      state.announce();
      return state.commands;
    },
    "POST /users/@me/channels"({ fields }) {
      const user = state.users.get(asText(fields.recipient_id) ?? "");
      if (!user) throw new DiscordProblem(10013);
      return describeChannel(user.direct);
    },
    "GET /channels/{channel_id}": (call) => describeChannel(reach(call)),
    "POST /channels/{channel_id}/typing"(call) {
      reach(call, "SendMessages").typingCount += 1;
      state.announce();
    },
    "GET /channels/{channel_id}/messages": list,
    "POST /channels/{channel_id}/messages": create,
    "GET /channels/{channel_id}/messages/{message_id}": (call) =>
      describeStored(findMessage(call, reach(call, "ReadMessageHistory"))),
    "PATCH /channels/{channel_id}/messages/{message_id}": change,
    "DELETE /channels/{channel_id}/messages/{message_id}": remove,
  };
}

function describeCommand(state: FakeState, command: Json): APIApplicationCommand {
  const type = asNumber(command.type) ?? 1;
  const known = state.commands.find((one) => one.name === command.name && Number(one.type) === type);
  const { default_member_permissions: permissions, name_localizations, description_localizations } = command;
  const described = compact({
    id: known?.id ?? state.createId(),
    application_id: state.bot.id,
    version: state.createId(),
    default_member_permissions: permissions == null ? null : String(permissions),
    type,
    name: command.name,
    name_localizations: name_localizations ?? null,
    description: asText(command.description) ?? "",
    description_localizations: description_localizations ?? null,
    dm_permission: command.dm_permission ?? true,
    contexts: command.contexts ?? null,
    integration_types: command.integration_types ?? [0],
    options: command.options ? asObjects(command.options).map(describeOption) : undefined,
    nsfw: false,
  });
  return described as unknown as APIApplicationCommand;
}

/** Options and choices without the nulls that requests may contain and responses may not. */
function describeOption(option: Json): Json {
  const nested = ["options", "choices"].flatMap((field) =>
    Array.isArray(option[field]) ? [[field, asObjects(option[field]).map(describeOption)] as const] : [],
  );
  const stored = Object.entries(option).filter(([, value]) => value !== null);
  return { ...Object.fromEntries(stored), ...Object.fromEntries(nested) };
}
