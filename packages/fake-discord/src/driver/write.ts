import { asNumber, asObjects, getFrom, type Json } from "@koma/fake-chat";
import { describeChannel } from "../describe/describe-guild.ts";
import { describeMember, describeUser } from "../describe/describe-user.ts";
import type { FakeState, StoredChannel, StoredMessage, StoredUser } from "../state/fake-state.ts";
import { findPings, type Messages } from "../state/messages.ts";
import { allows, permissionsIn } from "../state/permissions.ts";
import type { OwnFile, Written } from "../types.ts";

/** The message of a user's text and files. */
export function write(
  state: FakeState,
  messages: Messages,
  author: StoredUser,
  channel: StoredChannel,
  written: string | Written,
) {
  const {
    content = "",
    attachments = [],
    embeds = [],
    replyTo,
    forward,
    mentionsBot,
  }: Written = typeof written === "string" ? { content: written } : written;
  const text = [mentionsBot ? `<@${state.bot.id}>` : "", content].filter((part) => part !== "").join(" ");
  const files = attachments.map((file: OwnFile) =>
    messages.host(channel.id, { ...file, name: `${file.isSpoiler ? "SPOILER_" : ""}${file.name}` }),
  );
  const replied = replyTo && getFrom(state.messages, replyTo.id, "message");
  const forwarded = forward && getFrom(state.messages, forward.id, "message");
  const referenced = replied ?? forwarded;
  return {
    channelId: channel.id,
    authorId: author.id,
    content: text,
    embeds: embeds as readonly Json[],
    files,
    type: replied ? 19 : 0,
    flags: forwarded ? 1 << 14 : 0,
    reference: referenced && {
      type: forwarded ? (1 as const) : (0 as const),
      channelId: referenced.channelId,
      messageId: referenced.id,
    },
    snapshot: forwarded && { ...forwarded },
    pings: findPings(text, [], undefined, replied?.authorId),
  };
}

/** Throws if the user may not write or attach files. */
export function refuseSilenced(
  state: FakeState,
  channel: StoredChannel,
  user: StoredUser,
  files: readonly OwnFile[],
): void {
  const held = permissionsIn(state, channel, user.id);
  const isMember = channel.kind === "guild" || channel.recipientIds.includes(user.id);
  if (!isMember || !allows(held, ["ViewChannel", "SendMessages"]))
    throw new Error(`${user.name} may not write in ${channel.name}.`);
  if (files.length > 0 && !allows(held, "AttachFiles"))
    throw new Error(`${user.name} may not attach files in ${channel.name}.`);
}

/** Throws if the user cannot see the message. */
export function refuseUnseen(message: StoredMessage, user: StoredUser): void {
  const isHidden = message.visibleTo !== undefined && message.visibleTo !== user.id;
  if (message.isDeleted || isHidden) throw new Error(`${user.name} cannot see this message.`);
}

/** Throws if the menu does not contain a value, or requires fewer or more values. */
export function refuseUnknownValues(control: Json, values: readonly string[] | undefined): void {
  if (values === undefined) return;
  const [least, most] = [asNumber(control.min_values) ?? 1, asNumber(control.max_values) ?? 1];
  if (values.length < least || values.length > most)
    throw new Error(`The menu requires ${least} to ${most} values.`);
  if (control.type !== 3) return;
  const known = new Set(asObjects(control.options).map(({ value }) => value));
  const unknown = values.filter((value) => !known.has(value));
  if (unknown.length > 0) throw new Error(`The menu has no ${unknown.join(", ")}.`);
}

/** The users or channels chosen in a menu, in the interaction's format. */
export function describeChosen(
  state: FakeState,
  control: Json,
  values: readonly string[],
  channel: StoredChannel,
): Json {
  if (control.type === 8) {
    const channels = values.map((id) => [id, describeChannel(state, getFrom(state.channels, id, "channel"))]);
    return { resolved: { channels: Object.fromEntries(channels) } };
  }
  if (control.type !== 5) return {};
  const users = values.map((id) => [id, describeUser(getFrom(state.users, id, "user"))]);
  const guild = channel.guildId === undefined ? undefined : getFrom(state.guilds, channel.guildId, "guild");
  const members = guild && values.map((id) => [id, { ...describeMember(guild, id), permissions: "0" }]);
  return {
    resolved: { users: Object.fromEntries(users), ...(members && { members: Object.fromEntries(members) }) },
  };
}
