import { type ChannelParts, Guild } from "../state/channels.ts";
import type { FakeState } from "../state/fake-state.ts";
import type { Account, ChannelOptions, Shard } from "../types.ts";

const aDayMs = 24 * 3_600_000;

/** The options of a new guild. */
export type GuildOptions = {
  name?: string;
  members?: readonly Account[];
  /** The first channels; default one called `general`. */
  channels?: readonly ChannelOptions[];
  /** The guild's preferred locale (default en-US). */
  locale?: string;
  /** Whether the bot was invited (default yes). Without it the bot sees neither the guild nor its events. */
  hasBot?: boolean;
  /** The shard that receives the guild's events (default: any). */
  shard?: Shard;
};

/** A new guild. */
export function createGuild<Owner extends Account>(
  state: FakeState,
  channelParts: ChannelParts,
  options: GuildOptions & { owner: Owner },
): Guild<Owner> {
  const { channels = [{ name: "general" }], hasBot = true, locale = "en-US", members = [], owner } = options;
  const name = options.name ?? `Guild ${state.guilds.size + 1}`;
  const guild = new Guild(channelParts, { id: state.createId(options.shard), name, owner, locale });
  state.guilds.set(guild.id, guild);
  for (const user of [owner, ...members]) guild.addMember(user);
  for (const channel of channels) guild.createChannel(channel);
  if (hasBot) guild.addBot(Date.now() - aDayMs);
  return guild;
}
