import type { PermissionResolvable } from "discord.js";
import { describeChannel } from "../describe/describe-guild.ts";
import { describeMessage } from "../describe/describe-message.ts";
import { mayReadWithoutIntent } from "../gateway/reading.ts";
import { asObject, asText, type Json } from "../state/json.ts";
import type { Messages } from "../state/messages.ts";
import { allows, permissionsIn } from "../state/permissions.ts";
import { getFrom, type StoredChannel, type StoredMessage, type World } from "../state/world.ts";
import { type Answer, type Call, parameter, type Route } from "./call.ts";
import { DiscordProblem } from "./problems.ts";
import type { Writer } from "./write-message.ts";

const messagesAt = "/channels/{channel_id}/messages";

/** Channels and their messages, as the bot's own token reaches them. */
export function createChannelRoutes(
  world: World,
  parts: { messages: Messages; write: Writer },
): readonly Route[] {
  const { messages, write } = parts;

  const reach = (call: Call, needs: PermissionResolvable = []): StoredChannel => {
    const channel = world.channels.get(parameter(call, "channel_id"));
    if (channel === undefined || channel.isRemoved) throw new DiscordProblem(10003);
    if (channel.kind === "group") throw new DiscordProblem(50001);
    const guild = channel.guildId === undefined ? undefined : getFrom(world.guilds, channel.guildId, "guild");
    const held = permissionsIn(world, channel, world.bot.id);
    if (guild && (!guild.hasBot || !allows(held, "ViewChannel"))) throw new DiscordProblem(50001);
    if (!allows(held, needs)) throw new DiscordProblem(50013);
    return channel;
  };

  const findMessage = (call: Call, channel: StoredChannel): StoredMessage => {
    const message = world.messages.get(parameter(call, "message_id"));
    const isThere =
      message?.channelId === channel.id && !message.isDeleted && message.visibleTo === undefined;
    if (!message || !isThere) throw new DiscordProblem(10008);
    return message;
  };

  const tell = (message: StoredMessage): Json => {
    const mayRead = (one: StoredMessage) =>
      world.settings.hasMessageContent || mayReadWithoutIntent(world, one);
    return describeMessage(world, message, { isRedacted: !mayRead(message), mayRead });
  };

  const findReplied = (channel: StoredChannel, reference: Json | undefined): StoredMessage | undefined => {
    if (reference === undefined || reference.type === 1) return undefined;
    const held = permissionsIn(world, channel, world.bot.id);
    if (!allows(held, "ReadMessageHistory")) throw new DiscordProblem(160002);
    const target = world.messages.get(asText(reference.message_id) ?? "");
    if (target && !target.isDeleted && target.channelId === channel.id) return target;
    if (reference.fail_if_not_exists === false) return undefined;
    const _errors = [{ code: "REPLIES_UNKNOWN_MESSAGE", message: "Unknown message" }];
    throw new DiscordProblem(50035, { details: { message_reference: { _errors } } });
  };

  const create = (call: Call, body: Json): Answer => {
    const channel = reach(call, "SendMessages");
    const held = permissionsIn(world, channel, world.bot.id);
    if (call.files.length > 0 && !allows(held, "AttachFiles")) throw new DiscordProblem(50013);
    refuseClosedDoors(world, channel);
    const reference = asObject(body.message_reference);
    const target = findReplied(channel, reference);
    const twin = [...world.messages.values()].find(
      (one) =>
        body.enforce_nonce === true &&
        body.nonce !== undefined &&
        one.nonce === body.nonce &&
        one.channelId === channel.id &&
        one.authorId === world.bot.id,
    );
    if (twin) return { status: 200, body: tell(twin) };
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
      authorId: world.bot.id,
      type: target ? 19 : 0,
      reference: target && { type: 0, channelId: channel.id, messageId: target.id },
    });
    return { status: 200, body: tell(message) };
  };

  const change = (call: Call, body: Json): Answer => {
    const channel = reach(call);
    const message = findMessage(call, channel);
    if (message.authorId !== world.bot.id) throw new DiscordProblem(50005);
    messages.edit(
      message,
      write(call, body, { way: "channel-edit", channelId: channel.id, before: message }),
    );
    return { status: 200, body: tell(message) };
  };

  const remove = (call: Call): Answer => {
    const channel = reach(call);
    const message = findMessage(call, channel);
    if (message.authorId !== world.bot.id) {
      if (channel.kind !== "guild") throw new DiscordProblem(50003);
      if (!allows(permissionsIn(world, channel, world.bot.id), "ManageMessages"))
        throw new DiscordProblem(50013);
    }
    messages.delete(message);
    return { status: 204 };
  };

  const list = (call: Call): Answer => {
    const channel = reach(call, "ReadMessageHistory");
    const { before, after, limit = "50" } = call.query;
    const there = [...world.messages.values()].filter(
      (one) => one.channelId === channel.id && !one.isDeleted && one.visibleTo === undefined,
    );
    const wanted = there.filter(
      ({ id }) =>
        (before === undefined || BigInt(id) < BigInt(before)) &&
        (after === undefined || BigInt(id) > BigInt(after)),
    );
    return { status: 200, body: wanted.slice(-Number(limit)).reverse().map(tell) };
  };

  return [
    {
      method: "GET",
      template: "/channels/{channel_id}",
      handle: (call) => ({ status: 200, body: describeChannel(world, reach(call)) }),
    },
    {
      method: "POST",
      template: "/channels/{channel_id}/typing",
      handle(call) {
        reach(call, "SendMessages").typingCount += 1;
        world.announce();
        return { status: 204 };
      },
    },
    { method: "GET", template: messagesAt, handle: list },
    { method: "POST", template: messagesAt, handle: create },
    {
      method: "GET",
      template: `${messagesAt}/{message_id}`,
      handle: (call) => ({ status: 200, body: tell(findMessage(call, reach(call, "ReadMessageHistory"))) }),
    },
    { method: "PATCH", template: `${messagesAt}/{message_id}`, handle: change },
    { method: "DELETE", template: `${messagesAt}/{message_id}`, handle: remove },
  ];
}

/** Direct messages reach only people who accept them and share a guild with the bot or installed it. */
function refuseClosedDoors(world: World, channel: StoredChannel): void {
  if (channel.kind !== "direct") return;
  const user = getFrom(world.users, channel.recipientIds[0] ?? "", "user");
  if (!user.acceptsDirect) throw new DiscordProblem(50007);
}
