import { SimpleShardingStrategy, WebSocketShardEvents } from "@discordjs/ws";
import { BotRefusedError, type Log, withoutNulls } from "@koma/bot-core";
import {
  ActivityType,
  type APIInteraction,
  ChannelType,
  Client,
  type ClientOptions,
  Events,
  GatewayCloseCodes,
  GatewayDispatchEvents,
  GatewayIntentBits,
  type GatewayMessageCreateDispatchData,
  type GatewayMessageReactionAddDispatchData,
  type GatewayMessageUpdateDispatchData,
  type Guild,
  type GuildBasedChannel,
  Options,
  Partials,
  Status,
  type TextChannel,
} from "discord.js";
import type { KnownChannel } from "../handlers/requester.ts";
import type { DiscordApi } from "./discord-api.ts";
import { describeError } from "./error-codes.ts";
import { createIdentifyThrottler } from "./identify-throttler.ts";
import { createKnowChannel } from "./know-channel.ts";
import { createReconnectBackoff, type ReconnectBackoff } from "./reconnect-backoff.ts";
import { listShards, type ShardRange, writeShards } from "./shards.ts";

/** Discord announces a server again after an outage; a membership of this age is not new. */
const joinedTtlMs = 10 * 60_000;

/** The gateway rejects this bot; `code` is the reason (4004: the token, 4011: the shards, 4014: the intents). */
export class GatewayRefusedError extends BotRefusedError {
  readonly code: number;

  constructor(code: number) {
    super(remedies[code] ?? `Discord's gateway rejected the bot (${GatewayCloseCodes[code] ?? code}).`);
    this.code = code;
  }
}

const remedies: { readonly [code: number]: string } = {
  [GatewayCloseCodes.AuthenticationFailed]:
    "Discord rejects this token: copy the bot's token from the developer portal (Bot, Reset Token) to DISCORD_TOKEN.",
  [GatewayCloseCodes.InvalidShard]: "Discord rejects the shards of KOMA_DISCORD_SHARDS.",
  [GatewayCloseCodes.ShardingRequired]:
    "A shard has too many servers (Discord allows 2,500): raise the total of KOMA_DISCORD_SHARDS in every process, or unset it to run all shards in one process.",
};

/** The gateway's data about the channel of an event. */
export type Surroundings = {
  /** The bot's own user id. */
  botId: string;
  /** True if Discord sends messages that neither mention the bot nor are direct. */
  hasMessageContent: boolean;
  /** The data of a channel, requested from Discord if the gateway has not sent it. */
  knowChannel(channelId: string): Promise<KnownChannel>;
  /** The name of a server; undefined if the bot is not a member. */
  nameServer(guildId: string): string | undefined;
  /** The role that Discord created for the bot in a server; undefined if there is none. */
  findBotRole(guildId: string): string | undefined;
};

/** A server that the bot was added to. */
export type Joined = {
  guildId: string;
  /** Distinguishes this from an earlier membership. */
  joinedAtMs: number;
  locale: string;
  /** The channel for system messages, or else the first one where the bot may write. */
  channelId: string;
};

/** The settings of the connection and the callbacks for its events. */
export type GatewayOptions = {
  token: string;
  /** The shards of this process; undefined for all, in the number that Discord recommends. */
  shards: ShardRange | undefined;
  apiUrl: string;
  hasMessageContent: boolean;
  /** The status text below the bot's name. */
  presence: string;
  api: DiscordApi;
  /** Reserves a turn of all processes of this bot and returns the milliseconds until then. */
  reserveSlot: (name: string, gapMs: number) => Promise<number>;
  log: Log;
  onInteraction: (interaction: APIInteraction, surroundings: Surroundings) => void;
  onMessage: (message: GatewayMessageCreateDispatchData, surroundings: Surroundings) => void;
  onMessageEdit: (message: GatewayMessageUpdateDispatchData, surroundings: Surroundings) => void;
  onReaction: (reaction: GatewayMessageReactionAddDispatchData, surroundings: Surroundings) => void;
  /** The bot was added to a server. */
  onJoin: (guild: Joined) => void;
  /** For metrics: "gateway-resumed", "gateway-dropped", "gateway-error". */
  onCount: (name: string) => void;
};

/** The connection to Discord's gateway with discord.js, which resumes dropped sessions. */
export type Gateway = ReturnType<typeof createGateway>;

export function createGateway(options: GatewayOptions) {
  const { log, onCount } = options;
  const backoff = createReconnectBackoff();
  const client = new Client(describeClient(options, backoff));
  const knowChannel = createKnowChannel({ peek, getChannel: options.api.getChannel });
  const { promise: refused, resolve: giveUp } = Promise.withResolvers<Error>();

  // Raw events, because discord.js omits interactions of channels that are not in its cache.
  client.ws.on(GatewayDispatchEvents.InteractionCreate, (interaction) => {
    // discord.js reads this field next, and throws an unhandled error if it is missing.
    interaction.entitlements ??= [];
    options.onInteraction(withoutNulls(interaction), surroundings());
  });
  client.ws.on(GatewayDispatchEvents.MessageCreate, (message) =>
    options.onMessage(withoutNulls(message), surroundings()),
  );
  client.ws.on(GatewayDispatchEvents.MessageUpdate, (message) =>
    options.onMessageEdit(withoutNulls(message), surroundings()),
  );
  client.ws.on(GatewayDispatchEvents.MessageReactionAdd, (reaction) =>
    options.onReaction(withoutNulls(reaction), surroundings()),
  );
  client.on(Events.GuildCreate, (guild) => {
    const joined = describeJoined(guild);
    if (joined !== undefined) options.onJoin(joined);
  });
  client.on(Events.ShardDisconnect, ({ code }) => giveUp(new GatewayRefusedError(code)));
  client.on(Events.ShardResume, (shard) => {
    onCount("gateway-resumed");
    log.info("gateway resumed", { shard });
  });
  client.on(Events.ShardReady, (shard) => log.info("gateway ready", { shard }));
  const onError = (error: Error, details: { shard?: number } = {}) => {
    onCount("gateway-error");
    log.warn("gateway error", { ...describeError(error), ...details });
  };
  client.on(Events.Error, (error) => onError(error));
  client.on(Events.ShardError, (error, shard) => onError(error, { shard }));

  return {
    /** Resolves when the gateway rejects the bot permanently; only another configuration helps. */
    refused,
    /**
     * Connects and resolves once every shard is ready. Throws GatewayRefusedError, and errors of the first
     * connection.
     */
    async connect(): Promise<void> {
      const ready = new Promise<void>((resolve) => client.once(Events.ClientReady, () => resolve()));
      const failed = refused.then((error) => Promise.reject(error));
      failed.catch(() => {});
      await Promise.race([Promise.all([client.login(options.token), ready]), failed]);
    },
    surroundings,
    /** The connected shards, such as `0-3/8`. */
    shardRange,
    applicationId: (): string | undefined => client.application?.id,
    status: () => ({
      isConnected: client.ws.status === Status.Ready && client.ws.shards.every(isReady),
      reason: backoff.reason(),
      shards: client.ws.shards.size,
      shardRange: shardRange(),
      servers: client.guilds.cache.size,
      pingMs: Math.round(client.ws.ping),
    }),
    close: async () => {
      backoff.close();
      await client.destroy();
    },
  };

  function shardRange(): string {
    const ids = [...client.ws.shards.keys()];
    const { shardCount: total = ids.length } = client.options;
    return writeShards({ first: Math.min(...ids), last: Math.max(...ids), total });
  }

  /** The first event identifies the bot. */
  function surroundings(): Surroundings {
    const nameServer = (guildId: string) => client.guilds.cache.get(guildId)?.name;
    const { hasMessageContent } = options;
    const botId = client.user?.id ?? "";
    const findBotRole = (guildId: string) =>
      client.guilds.cache.get(guildId)?.roles.cache.find(({ tags }) => tags?.botId === botId)?.id;
    return { botId, hasMessageContent, knowChannel, nameServer, findBotRole };
  }

  function peek(channelId: string): KnownChannel | undefined {
    const known = client.channels.cache.get(channelId);
    return (
      known && {
        isAgeRestricted: "nsfw" in known && known.nsfw === true,
        guildLocale: "guild" in known ? known.guild.preferredLocale : undefined,
        parentChannelId: known.isThread() ? (known.parentId ?? undefined) : undefined,
      }
    );
  }
}

/** Undefined for a server that only became reachable again, and without a channel to write in. */
function describeJoined(guild: Guild): Joined | undefined {
  const { id: guildId, joinedTimestamp: joinedAtMs, preferredLocale: locale, systemChannel } = guild;
  if (Date.now() - joinedAtMs > joinedTtlMs) return undefined;
  const mayWrite = (channel: GuildBasedChannel) =>
    guild.members.me !== null &&
    channel.permissionsFor(guild.members.me).has(["ViewChannel", "SendMessages"]);
  const channels = guild.channels.cache.filter(
    (one): one is TextChannel => one.type === ChannelType.GuildText,
  );
  const [first] = channels
    .filter(mayWrite)
    .sort((one, other) => one.rawPosition - other.rawPosition)
    .values();
  const channelId = systemChannel !== null && mayWrite(systemChannel) ? systemChannel.id : first?.id;
  return channelId === undefined ? undefined : { guildId, joinedAtMs, locale, channelId };
}

function isReady(shard: { status: Status }): boolean {
  return shard.status === Status.Ready;
}

function describeClient(options: GatewayOptions, backoff: ReconnectBackoff): ClientOptions {
  const { Guilds, GuildMessages, GuildMessageReactions, DirectMessages, MessageContent } = GatewayIntentBits;
  const intents = [Guilds, GuildMessages, DirectMessages];
  return {
    // Without the content of messages, the image below a reaction is unknown.
    intents: options.hasMessageContent ? [...intents, GuildMessageReactions, MessageContent] : intents,
    // Without this partial, discord.js drops events of uncached direct messages.
    partials: [Partials.Channel],
    ...(options.shards === undefined
      ? { shards: "auto" as const }
      : { shards: listShards(options.shards), shardCount: options.shards.total }),
    ws: {
      ...Options.createDefault().ws,
      buildStrategy(manager) {
        // discord.js reconnects without a delay, and reads the session immediately before each connection.
        const { retrieveSessionInfo } = manager.options;
        manager.options.retrieveSessionInfo = async (shard) => {
          await backoff.wait(shard);
          return await retrieveSessionInfo(shard);
        };
        manager.on(WebSocketShardEvents.Closed, ({ code, shardId: shard }) => {
          const retryInMs = backoff.closed(shard, code);
          options.onCount("gateway-dropped");
          options.log.info("gateway connection closed", { shard, code, retryInMs });
        });
        manager.on(WebSocketShardEvents.Ready, ({ shardId }) => backoff.connected(shardId));
        manager.on(WebSocketShardEvents.Resumed, ({ shardId }) => backoff.connected(shardId));
        return new SimpleShardingStrategy(manager);
      },
      // One process with all shards has discord.js's own throttler.
      ...(options.shards !== undefined && {
        async buildIdentifyThrottler(manager) {
          const { session_start_limit } = await manager.fetchGatewayInformation();
          return createIdentifyThrottler({
            maxConcurrency: session_start_limit.max_concurrency,
            reserveSlot: options.reserveSlot,
            onError: (error) => options.log.warn("identify without a shared turn", describeError(error)),
          });
        },
      }),
    },
    rest: { api: options.apiUrl },
    presence: { activities: [{ type: ActivityType.Custom, name: options.presence }] },
    allowedMentions: { parse: [] },
    // The bot uses only channels (and their guilds) of discord.js's caches.
    makeCache: Options.cacheWithLimits({
      ...Options.DefaultMakeCacheSettings,
      MessageManager: 0,
      ReactionManager: 0,
      GuildMemberManager: { maxSize: 1, keepOverLimit: isSelf },
      UserManager: { maxSize: 1, keepOverLimit: isSelf },
      PresenceManager: 0,
      VoiceStateManager: 0,
      GuildEmojiManager: 0,
      GuildStickerManager: 0,
      GuildInviteManager: 0,
      GuildBanManager: 0,
      StageInstanceManager: 0,
      AutoModerationRuleManager: 0,
      GuildScheduledEventManager: 0,
      ThreadMemberManager: 0,
    }),
  };
}

function isSelf({ id, client }: { id: string; client: Client }): boolean {
  return id === client.user?.id;
}
