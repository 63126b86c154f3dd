import { getFrom } from "@koma/fake-chat";
import { PermissionsBitField } from "discord.js";
import { describeChannel } from "../describe/describe-guild.ts";
import type { Sessions } from "../gateway/sessions.ts";
import type { FakeState, StoredChannel } from "../state/fake-state.ts";
import type { Channel, Guild, Message, User } from "../types.ts";
import { createMessageView } from "./see-message.ts";

/** The channels and messages of tests: one view object each, so that they can be compared. */
export function createViews(state: FakeState, sessions: Sessions) {
  const channels = new Map<string, Channel>();
  const messages = new Map<string, Message>();
  const guilds = new Map<string, Guild>();
  const users = new Map<string, User>();

  const message = (id: string): Message => {
    const stored = getFrom(state.messages, id, "message");
    const view = messages.get(id) ?? createMessageView(state, stored, channel(stored.channelId));
    messages.set(id, view);
    return view;
  };

  const channel = (id: string): Channel => {
    const view = channels.get(id) ?? createChannelView(getFrom(state.channels, id, "channel"));
    channels.set(id, view);
    return view;
  };

  const createChannelView = (stored: StoredChannel): Channel => {
    const list = () => [...state.messages.values()].filter((one) => one.channelId === stored.id);
    const notifyWaiting = () => {
      if (stored.guildId)
        sessions.guildChanged(stored.guildId, "CHANNEL_UPDATE", describeChannel(state, stored));
    };
    const deny = (id: string, permissions: Parameters<Channel["denyBot"]>[0]) => {
      stored.overwrites.set(id, { isMember: true, deny: PermissionsBitField.resolve(permissions) });
      notifyWaiting();
    };
    return {
      id: stored.id,
      kind: stored.kind,
      get guild() {
        return stored.guildId === undefined ? undefined : guilds.get(stored.guildId);
      },
      get messages() {
        const shown = list().filter(
          (one) => !one.isDeleted && !one.isThinking && one.visibleTo === undefined,
        );
        return shown.map(({ id }) => message(id));
      },
      get history() {
        return list().map(({ id }) => message(id));
      },
      seenBy(user) {
        const own = list().filter(({ authorId, isDeleted }) => authorId === state.bot.id && !isDeleted);
        return own
          .filter(({ visibleTo }) => visibleTo === undefined || visibleTo === user.id)
          .map(({ id }) => message(id));
      },
      waitForMessage(fits = () => true) {
        const isWritten = (id: string) => {
          const one = getFrom(state.messages, id, "message");
          return one.authorId === state.bot.id && !one.isThinking && !one.isDeleted && fits(message(id));
        };
        const find = () => list().find(({ id }) => isWritten(id));
        const what = () =>
          `a message of the bot in ${stored.name}; there are: ${
            list()
              .map(({ id }) => JSON.stringify(message(id).text))
              .join(", ") || "none"
          }`;
        return state.waitFor(find, what).then(({ id }) => message(id));
      },
      get typingCount() {
        return stored.typingCount;
      },
      get isAgeRestricted() {
        return stored.isAgeRestricted;
      },
      setAgeRestricted(isRestricted) {
        stored.isAgeRestricted = isRestricted;
        notifyWaiting();
      },
      denyBot: (permissions) => deny(state.bot.id, permissions),
      deny: (user, permissions) => deny(user.id, permissions),
      remove() {
        stored.isRemoved = true;
        if (stored.guildId)
          sessions.guildChanged(stored.guildId, "CHANNEL_DELETE", describeChannel(state, stored));
      },
    };
  };

  return { channel, message, guilds, users };
}

/** See `createViews`. */
export type Views = ReturnType<typeof createViews>;
