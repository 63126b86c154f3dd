import { asObject, asText, getFrom, type Json } from "@koma/fake-chat";
import type { PermissionResolvable } from "discord.js";
import { describeChannel } from "../describe/describe-guild.ts";
import { describeMessage } from "../describe/describe-message.ts";
import { mayReadWithoutIntent } from "../gateway/reading.ts";
import type { FakeState, StoredChannel, StoredMessage } from "../state/fake-state.ts";
import type { Messages } from "../state/messages.ts";
import { allows, permissionsIn } from "../state/permissions.ts";
import { type Call, parameter, type Response, type Route } from "./call.ts";
import { DiscordProblem } from "./problems.ts";
import type { Writer } from "./write-message.ts";

const messagesAt = "/channels/{channel_id}/messages";

/** The routes of channels and messages for the bot's token. */
export function createChannelRoutes(
  state: FakeState,
  parts: { messages: Messages; write: Writer },
): readonly Route[] {
  const { messages, write } = parts;

  const reach = (call: Call, needs: PermissionResolvable = []): StoredChannel => {
    const channel = state.channels.get(parameter(call, "channel_id"));
    if (channel === undefined || channel.isRemoved) throw new DiscordProblem(10003);
    if (channel.kind === "group") throw new DiscordProblem(50001);
    const guild = channel.guildId === undefined ? undefined : getFrom(state.guilds, channel.guildId, "guild");
    const held = permissionsIn(state, channel, state.bot.id);
    if (guild && (!guild.hasBot || !allows(held, "ViewChannel"))) throw new DiscordProblem(50001);
    if (!allows(held, needs)) throw new DiscordProblem(50013);
    return channel;
  };

  const findMessage = (call: Call, channel: StoredChannel): StoredMessage => {
    const message = state.messages.get(parameter(call, "message_id"));
    const isThere =
      message?.channelId === channel.id && !message.isDeleted && message.visibleTo === undefined;
    if (!message || !isThere) throw new DiscordProblem(10008);
    return message;
  };

  const describeStored = (message: StoredMessage): Json => {
    const mayRead = (one: StoredMessage) =>
      state.settings.hasMessageContent || mayReadWithoutIntent(state, one);
    return describeMessage(state, message, { isRedacted: !mayRead(message), mayRead });
  };

  const findReplied = (channel: StoredChannel, reference: Json | undefined): StoredMessage | undefined => {
    if (reference === undefined || reference.type === 1) return undefined;
    const held = permissionsIn(state, channel, state.bot.id);
    if (!allows(held, "ReadMessageHistory")) throw new DiscordProblem(160002);
    const target = state.messages.get(asText(reference.message_id) ?? "");
    if (target && !target.isDeleted && target.channelId === channel.id) return target;
    if (reference.fail_if_not_exists === false) return undefined;
    const _errors = [{ code: "REPLIES_UNKNOWN_MESSAGE", message: "Unknown message" }];
    throw new DiscordProblem(50035, { details: { message_reference: { _errors } } });
  };

  const create = (call: Call, body: Json): Response => {
    const channel = reach(call, "SendMessages");
    const held = permissionsIn(state, channel, state.bot.id);
    if (call.files.length > 0 && !allows(held, "AttachFiles")) throw new DiscordProblem(50013);
    rejectClosedDirectMessages(state, channel);
    const reference = asObject(body.message_reference);
    const target = findReplied(channel, reference);
    const twin = [...state.messages.values()].find(
      (one) =>
        body.enforce_nonce === true &&
        body.nonce !== undefined &&
        one.nonce === body.nonce &&
        one.channelId === channel.id &&
        one.authorId === state.bot.id,
    );
    if (twin) return { status: 200, body: describeStored(twin) };
    const repliedTo = target?.authorId;
    const written = write(call, body, {
      way: "channel",
      channelId: channel.id,
      ...(repliedTo && { repliedTo }),
    });
    const message = messages.create({
      ...written,
      embeds: allows(held, "EmbedLinks") ? written.embeds : [],
      channelId: channel.id,
      authorId: state.bot.id,
      type: target ? 19 : 0,
      reference: target && { type: 0, channelId: channel.id, messageId: target.id },
    });
    return { status: 200, body: describeStored(message) };
  };

  const change = (call: Call, body: Json): Response => {
    const channel = reach(call);
    const message = findMessage(call, channel);
    if (message.authorId !== state.bot.id) throw new DiscordProblem(50005);
    messages.edit(
      message,
      write(call, body, { way: "channel-edit", channelId: channel.id, before: message }),
    );
    return { status: 200, body: describeStored(message) };
  };

  const remove = (call: Call): Response => {
    const channel = reach(call);
    const message = findMessage(call, channel);
    if (message.authorId !== state.bot.id) {
      if (channel.kind !== "guild") throw new DiscordProblem(50003);
      if (!allows(permissionsIn(state, channel, state.bot.id), "ManageMessages"))
        throw new DiscordProblem(50013);
    }
    messages.delete(message);
    return { status: 204 };
  };

  const list = (call: Call): Response => {
    const channel = reach(call, "ReadMessageHistory");
    const { before, after, limit = "50" } = call.query;
    const there = [...state.messages.values()].filter(
      (one) => one.channelId === channel.id && !one.isDeleted && one.visibleTo === undefined,
    );
    const expected = there.filter(
      ({ id }) =>
        (before === undefined || BigInt(id) < BigInt(before)) &&
        (after === undefined || BigInt(id) > BigInt(after)),
    );
    return { status: 200, body: expected.slice(-Number(limit)).reverse().map(describeStored) };
  };

  return [
    {
      method: "GET",
      template: "/channels/{channel_id}",
      handle: (call) => ({ status: 200, body: describeChannel(state, reach(call)) }),
    },
    {
      method: "POST",
      template: "/channels/{channel_id}/typing",
      handle(call) {
        reach(call, "SendMessages").typingCount += 1;
        state.announce();
        return { status: 204 };
      },
    },
    { method: "GET", template: messagesAt, handle: list },
    { method: "POST", template: messagesAt, handle: create },
    {
      method: "GET",
      template: `${messagesAt}/{message_id}`,
      handle: (call) => ({
        status: 200,
        body: describeStored(findMessage(call, reach(call, "ReadMessageHistory"))),
      }),
    },
    { method: "PATCH", template: `${messagesAt}/{message_id}`, handle: change },
    { method: "DELETE", template: `${messagesAt}/{message_id}`, handle: remove },
  ];
}

/** Direct messages reach only users who accept them and share a guild with the bot or installed it. */
function rejectClosedDirectMessages(state: FakeState, channel: StoredChannel): void {
  if (channel.kind !== "direct") return;
  const user = getFrom(state.users, channel.recipientIds[0] ?? "", "user");
  if (!user.acceptsDirect) throw new DiscordProblem(50007);
}
