import { asObject, type Json } from "@koma/fake-chat";
import { GatewayIntentBits } from "discord.js";
import type { WebSocket } from "ws";
import { describeMessage, mayReadWithoutIntent } from "../describe/describe-message.ts";
import { channelTypeOf, describeGuild, describeMember, describeUser } from "../describe/describe-user.ts";
import { fillNulls } from "../http/fill-nulls.ts";
import { checkAs } from "../rules/check-by-description.ts";
import type { Channel, Guild, Message } from "../state/channels.ts";
import type { FakeState } from "../state/fake-state.ts";
import type { Account, Shard } from "../types.ts";

/** An identified session; it outlives its connection until it is invalid. */
export type Session = {
  id: string;
  intents: number;
  shard: Shard;
  /** All sent events, for a resume. */
  events: { s: number; t: string; d: Json }[];
  socket: WebSocket | undefined;
};

/** The sessions of the bot, and the delivery of events to those with the matching intents. */
export function createSessions(state: FakeState) {
  const sessions = new Map<string, Session>();

  const send = (session: Session, t: string, d: Json) => {
    const isFilled = state.settings.sendsNulls && /^(INTERACTION|MESSAGE)_/.test(t);
    const event = { s: session.events.length + 1, t, d: isFilled ? (fillNulls(d) as Json) : d };
    session.events.push(event);
    session.socket?.send(JSON.stringify({ op: 0, ...event }));
  };

  /** The sessions that receive the events of a guild, or direct messages. */
  const listeners = (guild: Guild | undefined, intent: GatewayIntentBits) =>
    [...sessions.values()].filter(
      ({ intents, shard }) => isForShard(shard, guild?.id) && (intents & intent) !== 0,
    );

  const listenersOf = ({ channel, visibleTo }: Message) =>
    isHeard(channel) && visibleTo === undefined
      ? listeners(
          channel.guild,
          channel.guild ? GatewayIntentBits.GuildMessages : GatewayIntentBits.DirectMessages,
        )
      : [];

  const isHeard = (channel: Channel): boolean =>
    channel.guild
      ? channel.guild.hasBot && channel.allows(state.bot.id, "ViewChannel")
      : channel.kind === "direct";

  /** The description omits the gateway, but a message in an event has the described format. */
  const checkPayload = (t: string, payload: Json) => {
    const misfits = checkAs("MessageResponse", payload);
    const where = `gateway ${t}`;
    state.violations.push(...misfits.map(({ problem }) => ({ rule: "fake", where, problem })));
  };

  return {
    sessions,
    send,

    sendMessage(t: "MESSAGE_CREATE" | "MESSAGE_UPDATE", message: Message) {
      const { author, channel } = message;
      for (const session of listenersOf(message)) {
        const hasIntent = (session.intents & GatewayIntentBits.MessageContent) !== 0;
        const payload = describeMessage(
          state,
          message,
          (one) => hasIntent || mayReadWithoutIntent(state, one),
        );
        checkPayload(t, payload);
        send(session, t, {
          ...payload,
          channel_type: channelTypeOf(channel),
          ...ofGuild(channel.guild, author.id),
        });
      }
    },

    /** Reactions in guilds; those to direct messages are not sent. */
    sendReaction({ id, channel, author }: Message, user: Account, emoji: string) {
      const { guild } = channel;
      if (guild === undefined || !isHeard(channel)) return;
      for (const session of listeners(guild, GatewayIntentBits.GuildMessageReactions))
        send(session, "MESSAGE_REACTION_ADD", {
          user_id: user.id,
          channel_id: channel.id,
          message_id: id,
          message_author_id: author.id,
          guild_id: guild.id,
          member: { ...describeMember(guild, user.id), user: describeUser(user) },
          emoji: { id: null, name: emoji },
          burst: false,
          type: 0,
        });
    },

    sendDeletion(message: Message) {
      const { channel, id } = message;
      for (const session of listenersOf(message))
        send(session, "MESSAGE_DELETE", { id, channel_id: channel.id, ...ofGuild(channel.guild) });
    },

    /** Interactions are delivered regardless of intents. */
    sendInteraction(guild: Guild | undefined, interaction: Json) {
      const message = asObject(interaction.message);
      if (message) checkPayload("INTERACTION_CREATE", message);
      for (const session of sessions.values())
        if (isForShard(session.shard, guild?.id)) send(session, "INTERACTION_CREATE", interaction);
    },

    /** An event about a guild that has the bot; by default the whole guild. */
    sendGuild(guild: Guild, t: string, d: Json = describeGuild(state, guild)) {
      if (!guild.hasBot) return;
      for (const session of listeners(guild, GatewayIntentBits.Guilds)) send(session, t, d);
    },

    /** The guilds whose events a shard receives. */
    guildsOf: (shard: Shard) =>
      [...state.guilds.values()].filter((guild) => guild.hasBot && isForShard(shard, guild.id)),
  };
}

/** See `createSessions`. */
export type Sessions = ReturnType<typeof createSessions>;

function ofGuild(guild: Guild | undefined, memberId?: string): Json {
  if (guild === undefined) return {};
  return { guild_id: guild.id, ...(memberId !== undefined && { member: describeMember(guild, memberId) }) };
}

/** True if the shard receives the events of a guild; direct messages and their interactions go to shard 0. */
function isForShard([index, count]: Shard, guildId: string | undefined): boolean {
  if (guildId === undefined) return index === 0;
  return Number((BigInt(guildId) >> 22n) % BigInt(count)) === index;
}
