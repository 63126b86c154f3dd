import type { Reply } from "@koma/bot-core";
import type { DiscordApi, InteractionKey } from "../discord/discord-api.ts";
import {
  isExpired,
  isForbidden,
  isGone,
  isReferenceGone,
  isReferenceRefused,
} from "../discord/error-codes.ts";
import type { Requester } from "../handlers/requester.ts";
import type { OutgoingMessage } from "../replies/message.ts";
import { persist } from "./persist.ts";
import { createRoutes, type Route } from "./routes.ts";
import { createShownMessages } from "./shown-messages.ts";
import { createReplyWriter, type Sent, type WriterOptions } from "./write-reply.ts";

/** The message that an interaction is about to show. */
export type PendingMessage = {
  key: InteractionKey;
  requester: Requester;
  /** Only the requester sees it. */
  isPrivate: boolean;
  /** The interaction accepts no further messages. */
  isOver: boolean;
  fileLimitBytes: number;
};

/** A message that the bot replies to. */
export type RepliedMessage = { requester: Requester; channelId: string; messageId: string };

/** A route with its name for the log, and the way that follows an error, if any. */
type Way = {
  name: string;
  route: Route;
  next?: (error: unknown) => Way | undefined;
  /** Whether an error is part of the normal course, and is not reported. */
  isExpected?: (error: unknown) => boolean;
};

/** Sends replies, and uses another route if Discord refuses the first one. */
export type Sender = ReturnType<typeof createSender>;

export function createSender(options: WriterOptions & { api: DiscordApi }) {
  const { api, onError, signal } = options;
  const routes = createRoutes({ api, signal });
  const shown = createShownMessages();
  const writeReply = createReplyWriter({ ...options, shown });

  const sender = {
    /** Replaces "thinking" by the reply to a command or form. */
    async sendReply(reply: Reply, stage: PendingMessage): Promise<Sent> {
      const isForAll = !stage.isPrivate && stage.requester.chat.kind !== "direct";
      const isMoved = reply.isPrivate && isForAll;
      const route = isMoved ? routes.followUp(stage, true) : routes.original(stage);
      const sent = await send(
        reply,
        wayThrough(reply, stage, {
          ...route,
          async send(message) {
            // Discord cannot make a public reply private: it is deleted and a private follow-up is sent.
            if (isMoved) await ignoreGone(api.deleteOriginal(stage.key));
            return await route.send(message);
          },
        }),
      );
      await addPrivately(reply, stage);
      return sent;
    },

    /** Edits the message with the button; `messageId` is its id. */
    async update(reply: Reply, stage: PendingMessage, messageId?: string): Promise<Sent> {
      const sent = await shown.inOrder(messageId, () => {
        const saved = shown.findFile(messageId, reply);
        return send(reply, wayThrough(reply, stage, { ...routes.original(stage), isEdit: true, saved }));
      });
      await addPrivately(reply, stage);
      return sent;
    },

    /** Sends a further message after the reply. */
    async add(reply: Reply, stage: PendingMessage, { isPrivate }: { isPrivate: boolean }): Promise<Sent> {
      const further = { ...reply, isPrivate };
      return await send(further, wayThrough(further, stage, routes.followUp(stage, isPrivate)));
    },

    /** Sends a further message that all can see. */
    async publish(reply: Reply, stage: PendingMessage): Promise<Sent> {
      const sent = await sender.add(reply, stage, { isPrivate: false });
      await addPrivately(reply, stage);
      return sent;
    },

    /**
     * Replies to a message, unless it was deleted. A private reply goes to the requester's direct messages;
     * if those are closed, the reply `closed` is sent below the message.
     */
    async reply(reply: Reply, to: RepliedMessage & { closed: () => Promise<Reply> }): Promise<Sent> {
      const { requester, messageId: nonce } = to;
      const { person, chat } = requester;
      const direct = chat.kind === "direct" ? undefined : wayDirect(person.id, nonce);
      const isAlone = reply.isPrivate && direct !== undefined;
      let isDeleted = isAlone && (await isGoneThere(to));
      if (isDeleted) return undefined;
      const below = (last?: Way) =>
        wayBelow(to, last, () => {
          isDeleted = true;
        });
      const sent = isAlone
        ? ((await send(reply, direct)) ?? (await send(await to.closed(), below())))
        : await send(reply, below(direct));
      if (reply.privately !== undefined && !isDeleted) {
        await sender.direct(reply.privately, { personId: person.id, nonce: `${nonce}+` });
      }
      return sent;
    },

    /** Changes a message of the bot in a channel. Undefined if it was deleted. */
    edit: (reply: Reply, { channelId, messageId }: NonNullable<Sent>): Promise<Sent> =>
      shown.inOrder(messageId, () =>
        send(reply, {
          name: "edit of a reply",
          route: routes.existing(channelId, messageId),
          isExpected: isGone,
        }),
      ),

    /** Sends a message to the channel that mentions the requester, whose own message is deleted. */
    announce: (reply: Reply, { requester, channelId, messageId }: RepliedMessage): Promise<Sent> =>
      send(reply, wayInChannel(routes.mention(channelId, requester.person.id, messageId))),

    /** Sends a message to a channel without a mention. */
    post: (reply: Reply, { channelId, nonce }: { channelId: string; nonce: string }): Promise<Sent> =>
      send(reply, wayInChannel(routes.post(channelId, nonce))),

    /** Sends a direct message; undefined if the user does not accept any. */
    direct: (reply: Reply, { personId, nonce }: { personId: string; nonce: string }): Promise<Sent> =>
      send(reply, wayDirect(personId, nonce)),
  };

  /** Sends the reply on the first way that accepts it. */
  async function send(reply: Reply, first: Way): Promise<Sent> {
    for (let way: Way | undefined = first; way !== undefined; ) {
      const { name, route, next, isExpected }: Way = way;
      try {
        return await writeReply(reply, route);
      } catch (error) {
        if (isExpected?.(error) !== true) onError(name, error);
        way = next?.(error);
      }
    }
    return undefined;
  }

  /** The way through the interaction, then to the channel, then to the direct messages. */
  function wayThrough(reply: Reply, stage: PendingMessage, route: Route): Way {
    const { person, chat, writableChannelId: channelId } = stage.requester;
    const nonce = stage.key.id;
    const direct = wayDirect(person.id, nonce);
    const isForChannel = channelId !== undefined && (!reply.isPrivate || chat.kind === "direct");
    const elsewhere = isForChannel
      ? wayInChannel(routes.mention(channelId, person.id, nonce), direct)
      : direct;
    if (stage.isOver) return elsewhere;
    const alone = {
      name: "private reply",
      route: routes.followUp(stage, true),
      next: () => elsewhere,
    };
    return {
      name: "reply to an interaction",
      route: { ...route, send: (message: OutgoingMessage) => persist(() => route.send(message), { signal }) },
      next(error) {
        // The message was deleted: only the requester gets the reply.
        if (isGone(error)) return alone;
        return isExpired(error) || isForbidden(error) ? elsewhere : undefined;
      },
    };
  }

  /** True if the message was deleted; false if that is unknown. */
  async function isGoneThere({ channelId, messageId }: RepliedMessage): Promise<boolean> {
    return await api.getMessage(channelId, messageId).then(() => false, isGone);
  }

  /** The way below a message. If it was deleted, nothing is sent, and `onDeleted` is called. */
  function wayBelow(
    { requester, channelId, messageId }: RepliedMessage,
    last: Way | undefined,
    onDeleted: () => void,
  ): Way {
    const name = "reply to a message";
    const mention: Way = {
      name,
      route: routes.mention(channelId, requester.person.id, messageId),
      next: () => last,
    };
    return {
      name,
      route: routes.below(channelId, messageId),
      isExpected: (error) => isReferenceRefused(error) || isReferenceGone(error),
      next(error) {
        if (isReferenceRefused(error)) return mention;
        if (!isReferenceGone(error)) return last;
        onDeleted();
        return undefined;
      },
    };
  }

  async function addPrivately({ privately }: Reply, stage: PendingMessage): Promise<void> {
    if (privately !== undefined) await sender.add(privately, stage, { isPrivate: true });
  }

  function wayInChannel(route: Route, last?: Way): Way {
    return { name: "message in the channel", route, next: () => last };
  }

  function wayDirect(personId: string, nonce: string): Way {
    return { name: "direct message", route: routes.direct(personId, nonce) };
  }

  return sender;
}

async function ignoreGone(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}
