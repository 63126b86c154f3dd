import type { Reply } from "@koma/bot-core";
import { DiscordAPIError } from "discord.js";
import type { DiscordApi, InteractionKey } from "../discord/discord-api.ts";
import { isAboutFiles, isExpired, isForbidden, isGone, isReferenceRefused } from "../discord/error-codes.ts";
import type { Requester } from "../handlers/requester.ts";
import type { RowButton } from "../replies/buttons.ts";
import { addressTo, type OutgoingMessage, type SavedFile } from "../replies/message.ts";
import { renderReply } from "../replies/render-reply.ts";
import { persist } from "./persist.ts";
import { createShownFiles } from "./shown-files.ts";

/** Where a message of the bot stands; undefined: nowhere, nobody could be told. */
export type Sent = { channelId: string; messageId: string } | undefined;

/** What stands where the answer to an interaction will be. */
export type Stage = {
  key: InteractionKey;
  requester: Requester;
  /** The asker alone sees it. */
  isPrivate: boolean;
  /** Nothing can be said through the interaction any more. */
  isOver: boolean;
  fileLimitBytes: number;
};

/** A message to be answered. */
export type Written = { requester: Requester; channelId: string; messageId: string };

/** Brings replies to people, by another way where the first is barred. */
export type Sender = ReturnType<typeof createSender>;

/** Discord's limit for files of a bot, where it does not say more. */
export const usualFileLimitBytes = 10 * 1024 * 1024;

export function createSender(options: {
  api: DiscordApi;
  /** Buttons of Discord's own that a reply should have. */
  extraButtons: (reply: Reply) => Promise<readonly RowButton[]>;
  onError: (what: string, error: unknown) => void;
  /** Aborted when there is no more time for anybody. */
  signal: AbortSignal;
}) {
  const { api, onError, signal } = options;
  const shown = createShownFiles();

  const sender = {
    /** The answer to a command or form, in place of "thinking". */
    async sendReply(reply: Reply, stage: Stage): Promise<Sent> {
      const isForAll = !stage.isPrivate && stage.requester.chat.kind !== "direct";
      const sent = await deliver(reply, stage, async (message) => {
        if (!reply.isPrivate || !isForAll) return api.editOriginal(stage.key, message);
        // What all were to see becomes something for one alone: the place of the first goes before.
        await ignoreGone(api.deleteOriginal(stage.key));
        return api.followUp(stage.key, message, { isPrivate: true });
      });
      await addPrivately(reply, stage);
      return sent;
    },

    /** What the message with the pressed button becomes; `messageId`: which that is. */
    async update(reply: Reply, stage: Stage, messageId?: string): Promise<Sent> {
      const saved = shown.find(messageId, reply);
      const sent = await deliver(reply, stage, (message) => api.editOriginal(stage.key, message), saved);
      await addPrivately(reply, stage);
      return sent;
    },

    /** Something besides, after the answer. */
    add: (reply: Reply, stage: Stage, { isPrivate }: { isPrivate: boolean }): Promise<Sent> =>
      deliver({ ...reply, isPrivate }, stage, (message) => api.followUp(stage.key, message, { isPrivate })),

    /**
     * The answer to a message. What is private goes to the asker's direct messages; where those are closed, `closed` says
     * so under the message.
     */
    async reply(reply: Reply, to: Written & { closed: () => Promise<Reply> }): Promise<Sent> {
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

    /** A message in the channel that names the asker, whose own message is gone. */
    announce: (reply: Reply, { requester, channelId, messageId }: Written): Promise<Sent> =>
      write(reply, channelId, { requester, nonce: messageId }),

    /** A direct message; undefined where the person takes none. */
    async direct(reply: Reply, to: { personId: string; nonce: string }): Promise<Sent> {
      return await attempt("direct message", () =>
        withLighterFiles(reply, usualFileLimitBytes, async (message) => {
          const channelId = await persist(() => api.openDirect(to.personId), { signal });
          return persist(() => api.send(channelId, message, { nonce: to.nonce }), { signal });
        }),
      );
    },
  };

  async function addPrivately({ privately }: Reply, stage: Stage): Promise<void> {
    if (privately !== undefined) await sender.add(privately, stage, { isPrivate: true });
  }

  /** Through the interaction; else where the bot may write; else as a direct message. */
  async function deliver(
    reply: Reply,
    stage: Stage,
    send: (message: OutgoingMessage) => Promise<{ id: string; channel_id: string }>,
    saved?: SavedFile,
  ): Promise<Sent> {
    if (!stage.isOver) {
      try {
        const attemptSend = (message: OutgoingMessage) => persist(() => send(message), { signal });
        return await withLighterFiles(reply, stage.fileLimitBytes, attemptSend, saved);
      } catch (error) {
        onError("answer to an interaction", error);
        if (isGone(error)) {
          // Somebody took the answer's place away: the asker alone is told.
          const alone = await attempt("answer in private", () =>
            withLighterFiles(reply, stage.fileLimitBytes, (message) =>
              api.followUp(stage.key, message, { isPrivate: true }),
            ),
          );
          if (alone !== undefined) return alone;
        } else if (!isExpired(error) && !isForbidden(error)) return undefined;
      }
    }
    return await elsewhere(reply, stage);
  }

  async function elsewhere(reply: Reply, { key, requester }: Stage): Promise<Sent> {
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
      withLighterFiles(reply, usualFileLimitBytes, (message) =>
        persist(() => api.send(channelId, addressTo(person.id, message), { nonce, ping: person.id }), {
          signal,
        }),
      ),
    );
  }

  async function sendToMessage(reply: Reply, { requester, channelId, messageId }: Written): Promise<Sent> {
    return await attempt("answer to a message", () =>
      withLighterFiles(reply, usualFileLimitBytes, async (message) => {
        const nonce = messageId;
        try {
          return await persist(() => api.send(channelId, message, { nonce, replyTo: messageId }), { signal });
        } catch (error) {
          if (!isReferenceRefused(error)) throw error;
          const { id } = requester.person;
          return await persist(() => api.send(channelId, addressTo(id, message), { nonce, ping: id }), {
            signal,
          });
        }
      }),
    );
  }

  async function directInstead(reply: Reply, { requester, messageId }: Written): Promise<Sent> {
    if (requester.chat.kind === "direct") return undefined;
    return await sender.direct(reply, { personId: requester.person.id, nonce: messageId });
  }

  /** With its files, or without where Discord does not take them. */
  async function withLighterFiles(
    reply: Reply,
    fileLimitBytes: number,
    send: (message: OutgoingMessage) => Promise<{ id: string; channel_id: string }>,
    saved?: SavedFile,
  ): Promise<Sent> {
    const extraButtons = await options.extraButtons(reply);
    const sendAs = async (how: { fileLimitBytes: number; saved?: SavedFile }) => {
      const message = await renderReply(reply, { ...how, extraButtons });
      const sent = await send(message);
      shown.note(reply, message, sent);
      return toSent(sent);
    };
    try {
      if (saved !== undefined) return await sendAs({ fileLimitBytes, saved });
    } catch (error) {
      // The file is not there any more, or not as it was: then it goes along once more.
      if (!(error instanceof DiscordAPIError) || error.status !== 400) throw error;
    }
    try {
      return await sendAs({ fileLimitBytes });
    } catch (error) {
      if (reply.preview === undefined || !isAboutFiles(error)) throw error;
      return await sendAs({ fileLimitBytes: 0 });
    }
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
