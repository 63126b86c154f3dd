import { type PermissionResolvable, PermissionsBitField } from "discord.js";
import { describeChannel } from "../describe/describe-user.ts";
import type { Sessions } from "../gateway/sessions.ts";
import type { FakeState } from "../state/fake-state.ts";
import type { Channel } from "../types.ts";

/** A new channel of a guild, direct messages or a group. */
export function createChannel(
  state: FakeState,
  sessions: Sessions,
  fields: Pick<Channel, "kind" | "name"> & Partial<Pick<Channel, "guild" | "recipients" | "isAgeRestricted">>,
): Channel {
  const announceChange = () => {
    if (own.guild) sessions.sendGuild(own.guild, "CHANNEL_UPDATE", describeChannel(own));
  };
  const deny = (id: string, permissions: PermissionResolvable) => {
    own.overwrites.set(id, PermissionsBitField.resolve(permissions));
    announceChange();
  };
  const own: Channel = {
    id: state.createId(),
    guild: undefined,
    recipients: [],
    overwrites: new Map(),
    isAgeRestricted: false,
    typingCount: 0,
    ...fields,
    get messages() {
      return own.history.filter((one) => !one.isDeleted && !one.isThinking && one.visibleTo === undefined);
    },
    get history() {
      return [...state.messages.values()].filter((one) => one.channel === own);
    },
    waitForMessage(fits = () => true) {
      const isWritten = (one: (typeof own.history)[number]) =>
        one.author.isBot && !one.isThinking && !one.isDeleted && fits(one);
      const texts = () => own.history.map(({ text }) => JSON.stringify(text)).join(", ") || "none";
      return state.waitFor(
        () => own.history.find(isWritten),
        () => `a message of the bot in ${own.name}; there are: ${texts()}`,
      );
    },
    setAgeRestricted(isRestricted) {
      own.isAgeRestricted = isRestricted;
      announceChange();
    },
    denyBot: (permissions) => deny(state.bot.id, permissions),
    deny: ({ id }, permissions) => deny(id, permissions),
  };
  state.channels.set(own.id, own);
  return own;
}
