import { type APIChannel, ChannelType } from "discord.js";
import type { KnownChannel } from "../handlers/requester.ts";

/**
 * Looks up a channel: in the gateway's data (`peek`), else at Discord. A thread has the properties of its
 * channel.
 */
export function createKnowChannel(options: {
  peek: (channelId: string) => KnownChannel | undefined;
  getChannel: (channelId: string) => Promise<APIChannel>;
}): (channelId: string) => Promise<KnownChannel> {
  const know = async (channelId: string) => options.peek(channelId) ?? (await ask(channelId));

  return async (channelId) => {
    const found = await know(channelId);
    if (found.parentChannelId === undefined) return found;
    const { isAgeRestricted, guildLocale } = await know(found.parentChannelId);
    return { ...found, isAgeRestricted, guildLocale: found.guildLocale ?? guildLocale };
  };

  async function ask(channelId: string): Promise<KnownChannel> {
    try {
      return describe(await options.getChannel(channelId));
    } catch {
      // An unknown channel gets no adult matches.
      return { isAgeRestricted: false, guildLocale: undefined, parentChannelId: undefined };
    }
  }
}

function describe(channel: APIChannel): KnownChannel {
  const isThread =
    channel.type === ChannelType.AnnouncementThread ||
    channel.type === ChannelType.PublicThread ||
    channel.type === ChannelType.PrivateThread;
  return {
    isAgeRestricted: "nsfw" in channel && channel.nsfw === true,
    guildLocale: undefined,
    parentChannelId: isThread ? (channel.parent_id ?? undefined) : undefined,
  };
}
