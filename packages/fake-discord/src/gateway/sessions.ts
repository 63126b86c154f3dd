import { asObject, getFrom, type Json } from "@koma/fake-chat";
import { GatewayIntentBits } from "discord.js";
import type { WebSocket } from "ws";
import { channelTypeOf, describeFullGuild } from "../describe/describe-guild.ts";
import { describeMessage } from "../describe/describe-message.ts";
import { describeMember } from "../describe/describe-user.ts";
import { fillNulls } from "../http/fill-nulls.ts";
import { asDescribed } from "../rules/as-described.ts";
import type { Checker } from "../rules/create-checker.ts";
import type { FakeState, StoredChannel, StoredGuild, StoredMessage } from "../state/fake-state.ts";
import { allows, permissionsIn } from "../state/permissions.ts";
import type { Shard } from "../types.ts";
import { mayReadWithoutIntent } from "./reading.ts";
import { isForShard } from "./shards.ts";

/** An identified session; it outlives its connection until it is invalid. */
export type Session = {
  id: string;
  intents: number;
  shard: Shard;
  sequence: number;
  /** All sent events, for a resume. */
  events: { s: number; t: string; d: Json }[];
  socket: WebSocket | undefined;
};

/** The sessions of the bot, and the delivery of events to those with the matching intents. */
export function createSessions(state: FakeState, checker: Checker) {
  const sessions = new Map<string, Session>();

  const send = (session: Session, t: string, d: Json) => {
    session.sequence += 1;
    const isFilled = state.settings.sendsNulls && /^(INTERACTION|MESSAGE)_/.test(t);
    const event = { s: session.sequence, t, d: isFilled ? (fillNulls(d) as Json) : d };
    session.events.push(event);
    session.socket?.send(JSON.stringify({ op: 0, ...event }));
  };

  const dispatch = (guildId: string | undefined, intent: GatewayIntentBits, t: string, d: Json) => {
    for (const session of sessions.values()) {
      if (isForShard(session.shard, guildId) && (session.intents & intent) !== 0) send(session, t, d);
    }
  };

  /** The description omits the gateway, but a message in an event has the described format. */
  const checkPayload = (t: string, payload: Json) => {
    const misfits = checker.checkAs("MessageResponse", asDescribed(payload));
    const where = `gateway ${t}`;
    state.violations.push(...misfits.map(({ problem }) => ({ rule: "fake", where, problem })));
  };

  const dispatchMessage = (t: string, message: StoredMessage) => {
    const channel = getFrom(state.channels, message.channelId, "channel");
    if (!isHeard(state, channel) || message.visibleTo !== undefined) return;
    const guild = channel.guildId === undefined ? undefined : getFrom(state.guilds, channel.guildId, "guild");
    const intent = guild ? GatewayIntentBits.GuildMessages : GatewayIntentBits.DirectMessages;
    for (const session of sessions.values()) {
      if (!isForShard(session.shard, guild?.id) || (session.intents & intent) === 0) continue;
      const hasIntent = (session.intents & GatewayIntentBits.MessageContent) !== 0;
      const mayRead = (one: StoredMessage) => hasIntent || mayReadWithoutIntent(state, one);
      const payload = describeMessage(state, message, { isRedacted: !mayRead(message), mayRead });
      checkPayload(t, payload);
      send(session, t, {
        ...payload,
        channel_type: channelTypeOf(channel),
        ...(guild && { guild_id: guild.id, member: describeMember(guild, message.authorId) }),
      });
    }
  };

  return {
    sessions,
    send,

    messageCreated: (message: StoredMessage) => dispatchMessage("MESSAGE_CREATE", message),
    messageUpdated: (message: StoredMessage) => dispatchMessage("MESSAGE_UPDATE", message),

    messageDeleted(message: StoredMessage) {
      const channel = getFrom(state.channels, message.channelId, "channel");
      if (!isHeard(state, channel) || message.visibleTo !== undefined) return;
      const isGuild = channel.guildId !== undefined;
      const intent = isGuild ? GatewayIntentBits.GuildMessages : GatewayIntentBits.DirectMessages;
      dispatch(channel.guildId, intent, "MESSAGE_DELETE", {
        id: message.id,
        channel_id: channel.id,
        ...(isGuild && { guild_id: channel.guildId }),
      });
    },

    /** Interactions are delivered regardless of intents. */
    interactionCreated(guildId: string | undefined, interaction: Json) {
      if (interaction.message !== undefined)
        checkPayload("INTERACTION_CREATE", asObject(interaction.message) ?? {});
      for (const session of sessions.values()) {
        if (isForShard(session.shard, guildId)) send(session, "INTERACTION_CREATE", interaction);
      }
    },

    guildAvailable: (guild: StoredGuild) =>
      dispatch(guild.id, GatewayIntentBits.Guilds, "GUILD_CREATE", describeFullGuild(state, guild)),
    guildGone: (guild: StoredGuild) =>
      dispatch(guild.id, GatewayIntentBits.Guilds, "GUILD_DELETE", { id: guild.id }),

    guildChanged(guildId: string, t: string, d: Json) {
      if (getFrom(state.guilds, guildId, "guild").hasBot) dispatch(guildId, GatewayIntentBits.Guilds, t, d);
    },

    /** The guilds whose events a session receives. */
    guildsOf: (session: Session) =>
      [...state.guilds.values()].filter((guild) => guild.hasBot && isForShard(session.shard, guild.id)),
  };
}

/** See `createSessions`. */
export type Sessions = ReturnType<typeof createSessions>;

function isHeard(state: FakeState, channel: StoredChannel): boolean {
  if (channel.kind !== "guild") return channel.kind === "direct";
  const guild = getFrom(state.guilds, channel.guildId ?? "", "guild");
  return guild.hasBot && allows(permissionsIn(state, channel, state.bot.id), "ViewChannel");
}
