import type { Reply } from "@koma/bot-core";
import { type APIMessage, type ButtonBuilder, DiscordAPIError } from "discord.js";
import type { DiscordApi, InteractionKey } from "../discord/discord-api.ts";
import {
  isAboutFiles,
  isExpired,
  isForbidden,
  isGone,
  isInvalidBody,
  isReferenceRefused,
} from "../discord/error-codes.ts";
import type { Requester } from "../handlers/requester.ts";
import { addressTo, type OutgoingMessage, type SavedFile } from "../replies/message.ts";
import { renderPlainText, renderReply, UnwritableReplyError } from "../replies/render-reply.ts";
import { persist } from "./persist.ts";
import { createShownMessages } from "./shown-messages.ts";

/** The location of a message of the bot; undefined if no message could be sent. */
export type Sent = { channelId: string; messageId: string } | undefined;

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

/** Sends replies, and uses another route if Discord refuses the first one. */
export type Sender = ReturnType<typeof createSender>;

/** Discord's file limit for bots, used when Discord names no other. */
export const usualFileLimitBytes = 10 * 1024 * 1024;

/** One way to write a message and to edit it afterwards. */
type Route = {
  send: (message: OutgoingMessage) => Promise<APIMessage>;
  edit: (sent: APIMessage, message: OutgoingMessage) => Promise<APIMessage>;
  /** `send` edits a message that has components. */
  isEdit?: boolean;
  fileLimitBytes: number;
  saved?: SavedFile | undefined;
};

export function createSender(options: {
  api: DiscordApi;
  /** Buttons of Discord's own that a reply has. */
  extraButtons: (reply: Reply) => Promise<readonly ButtonBuilder[]>;
  /** Runs work after the reply was sent; a shutdown waits for it. */
  startJob: (name: string, work: () => Promise<unknown>) => void;
  onError: (what: string, error: unknown) => void;
  /** Aborted when the shutdown deadline has passed. */
  signal: AbortSignal;
}) {
  const { api, onError, signal } = options;
  const shown = createShownMessages();

  const sender = {
    /** Replaces "thinking" by the reply to a command or form. */
    async sendReply(reply: Reply, stage: PendingMessage): Promise<Sent> {
      const isForAll = !stage.isPrivate && stage.requester.chat.kind !== "direct";
      const isMoved = reply.isPrivate && isForAll;
      const route = isMoved ? followUpRoute(stage, true) : originalRoute(stage);
      const sent = await deliver(reply, stage, {
        ...route,
        async send(message) {
          // Discord cannot make a public reply private: it is deleted and a private follow-up is sent.
          if (isMoved) await ignoreGone(api.deleteOriginal(stage.key));
          return await route.send(message);
        },
      });
      await addPrivately(reply, stage);
      return sent;
    },

    /** Edits the message with the button; `messageId` is its id. */
    async update(reply: Reply, stage: PendingMessage, messageId?: string): Promise<Sent> {
      const sent = await shown.inOrder(messageId, () => {
        const saved = shown.findFile(messageId, reply);
        return deliver(reply, stage, { ...originalRoute(stage), isEdit: true, saved });
      });
      await addPrivately(reply, stage);
      return sent;
    },

    /** Sends a further message after the reply. */
    add: (reply: Reply, stage: PendingMessage, { isPrivate }: { isPrivate: boolean }): Promise<Sent> =>
      deliver({ ...reply, isPrivate }, stage, followUpRoute(stage, isPrivate)),

    /** Sends a further message that all can see. */
    async publish(reply: Reply, stage: PendingMessage): Promise<Sent> {
      const sent = await sender.add(reply, stage, { isPrivate: false });
      await addPrivately(reply, stage);
      return sent;
    },

    /**
     * Replies to a message. A private reply goes to the requester's direct messages; if those are closed, the reply
     * `closed` is sent below the message.
     */
    async reply(reply: Reply, to: RepliedMessage & { closed: () => Promise<Reply> }): Promise<Sent> {
      const personId = to.requester.person.id;
      const sent =
        reply.isPrivate && to.requester.chat.kind !== "direct"
          ? ((await sender.direct(reply, { personId, nonce: to.messageId })) ??
            (await sendToMessage(await to.closed(), to)))
          : ((await sendToMessage(reply, to)) ?? (await directInstead(reply, to)));
      if (reply.privately !== undefined) {
        await sender.direct(reply.privately, { personId, nonce: `${to.messageId}+` });
      }
      return sent;
    },

    /** Sends a message to the channel that mentions the requester, whose own message is deleted. */
    announce: (reply: Reply, { requester, channelId, messageId }: RepliedMessage): Promise<Sent> =>
      write(reply, channelId, { requester, nonce: messageId }),

    /** Sends a message to a channel without a mention. */
    post: (reply: Reply, { channelId, nonce }: { channelId: string; nonce: string }): Promise<Sent> =>
      attempt("message in the channel", () =>
        transmit(reply, {
          ...channelRoute,
          send: (message) => persist(() => api.send(channelId, message, { nonce }), { signal }),
        }),
      ),

    /** Sends a direct message; undefined if the user does not accept any. */
    async direct(reply: Reply, to: { personId: string; nonce: string }): Promise<Sent> {
      return await attempt("direct message", () =>
        transmit(reply, {
          ...channelRoute,
          async send(message) {
            const channelId = await persist(() => api.openDirect(to.personId), { signal });
            return await persist(() => api.send(channelId, message, { nonce: to.nonce }), { signal });
          },
        }),
      );
    },
  };

  const channelRoute: Pick<Route, "edit" | "fileLimitBytes"> = {
    edit: (sent, message) => api.edit(sent, message),
    fileLimitBytes: usualFileLimitBytes,
  };

  function originalRoute({ key, fileLimitBytes }: PendingMessage): Route {
    const edit = (message: OutgoingMessage) => api.editOriginal(key, message);
    return { fileLimitBytes, send: edit, edit: (_, message) => edit(message) };
  }

  function followUpRoute({ key, fileLimitBytes }: PendingMessage, isPrivate: boolean): Route {
    return {
      fileLimitBytes,
      send: (message) => api.followUp(key, message, { isPrivate }),
      edit: ({ id }, message) => api.editFollowUp(key, id, message),
    };
  }

  async function addPrivately({ privately }: Reply, stage: PendingMessage): Promise<void> {
    if (privately !== undefined) await sender.add(privately, stage, { isPrivate: true });
  }

  /** Sends through the interaction, otherwise to the channel, otherwise as a direct message. */
  async function deliver(reply: Reply, stage: PendingMessage, route: Route): Promise<Sent> {
    if (!stage.isOver) {
      try {
        const send = (message: OutgoingMessage) => persist(() => route.send(message), { signal });
        return await transmit(reply, { ...route, send });
      } catch (error) {
        onError("reply to an interaction", error);
        if (isGone(error)) {
          // The message was deleted: only the requester gets the reply.
          const alone = await attempt("private reply", () => transmit(reply, followUpRoute(stage, true)));
          if (alone !== undefined) return alone;
        } else if (!isExpired(error) && !isForbidden(error)) return undefined;
      }
    }
    return await elsewhere(reply, stage);
  }

  async function elsewhere(reply: Reply, { key, requester }: PendingMessage): Promise<Sent> {
    const { person, chat, writableChannelId } = requester;
    if (writableChannelId !== undefined && (!reply.isPrivate || chat.kind === "direct")) {
      const sent = await write(reply, writableChannelId, { requester, nonce: key.id });
      if (sent !== undefined) return sent;
    }
    return await sender.direct(reply, { personId: person.id, nonce: key.id });
  }

  async function write(
    reply: Reply,
    channelId: string,
    { requester: { person }, nonce }: { requester: Requester; nonce: string },
  ): Promise<Sent> {
    return await attempt("message in the channel", () =>
      transmit(reply, mentionRoute(channelId, person.id, nonce)),
    );
  }

  /** Writes to the channel and mentions the person above the reply. */
  function mentionRoute(channelId: string, personId: string, nonce: string): Route {
    return {
      ...channelRoute,
      edit: (sent, message) => api.edit(sent, addressTo(personId, message)),
      send: (message) =>
        persist(() => api.send(channelId, addressTo(personId, message), { nonce, ping: personId }), {
          signal,
        }),
    };
  }

  async function sendToMessage(
    reply: Reply,
    { requester, channelId, messageId }: RepliedMessage,
  ): Promise<Sent> {
    const nonce = messageId;
    const route: Route = {
      ...channelRoute,
      send: (message) =>
        persist(() => api.send(channelId, message, { nonce, replyTo: messageId }), { signal }),
    };
    return await attempt("reply to a message", async () => {
      try {
        return await transmit(reply, route);
      } catch (error) {
        if (!isReferenceRefused(error)) throw error;
        return await transmit(reply, mentionRoute(channelId, requester.person.id, nonce));
      }
    });
  }

  async function directInstead(reply: Reply, { requester, messageId }: RepliedMessage): Promise<Sent> {
    if (requester.chat.kind === "direct") return undefined;
    return await sender.direct(reply, { personId: requester.person.id, nonce: messageId });
  }

  /** Sends the reply; if Discord or a builder rejects the card, its text without formatting. */
  async function transmit(reply: Reply, route: Route): Promise<Sent> {
    try {
      return await sendCard(reply, route);
    } catch (error) {
      if (!isInvalidBody(error) && !(error instanceof UnwritableReplyError)) throw error;
      onError("rejected reply", error);
      return toSent(await route.send(renderPlainText(reply, { isEdit: route.isEdit === true })));
    }
  }

  /**
   * Sends the card with its still, without it if Discord does not accept the file, and adds the clip
   * afterwards.
   */
  async function sendCard(reply: Reply, route: Route): Promise<Sent> {
    const extraButtons = await options.extraButtons(reply);
    const sendAs = async (how: { fileLimitBytes: number; saved?: SavedFile }) => {
      const message = await renderReply(reply, { ...how, extraButtons });
      const sent = await route.send(message);
      shown.save(reply, message, sent);
      const hasClip = [...message.files, ...message.saved].some(({ name }) => name.endsWith(".mp4"));
      if (how.fileLimitBytes > 0 && !hasClip) addClip(reply, sent, route);
      return toSent(sent);
    };
    const { fileLimitBytes, saved } = route;
    try {
      if (saved !== undefined) return await sendAs({ fileLimitBytes, saved });
    } catch (error) {
      // Discord no longer has the file: it is uploaded again.
      if (!(error instanceof DiscordAPIError) || error.status !== 400) throw error;
    }
    try {
      return await sendAs({ fileLimitBytes });
    } catch (error) {
      if (reply.preview === undefined || !isAboutFiles(error)) throw error;
      return await sendAs({ fileLimitBytes: 0 });
    }
  }

  /**
   * Replaces the still of a sent message by the clip, unless the user moved to another page meanwhile. After
   * a crash the message keeps its still: the request is complete once the message is sent.
   */
  function addClip({ preview }: Reply, sent: APIMessage, { edit, fileLimitBytes }: Route): void {
    if (preview?.variant !== "clip") return;
    options.startJob("adding a clip", async () => {
      const clip = await preview.clip(fileLimitBytes);
      if (clip === undefined) return;
      await shown.inOrder(sent.id, async () => {
        const reply = shown.findReply(sent.id);
        if (reply?.preview?.key !== preview.key) return;
        const extraButtons = await options.extraButtons(reply);
        const message = await renderReply(reply, { fileLimitBytes, extraButtons, clip });
        try {
          const edited = await persist(() => edit(sent, message), { signal });
          shown.save(reply, message, edited);
        } catch (error) {
          if (!isGone(error)) onError("adding a clip", error);
        }
      });
    });
  }

  async function attempt(what: string, send: () => Promise<Sent>): Promise<Sent> {
    try {
      return await send();
    } catch (error) {
      onError(what, error);
      return undefined;
    }
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

function toSent({ id, channel_id: channelId }: { id: string; channel_id: string }): Sent {
  return { channelId, messageId: id };
}
