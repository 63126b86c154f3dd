import type { Reply } from "@koma/bot-core";
import { DiscordAPIError } from "discord.js";
import type { DiscordApi, InteractionKey } from "../discord/discord-api.ts";
import { isAboutFiles, isExpired, isForbidden, isGone, isReferenceRefused } from "../discord/error-codes.ts";
import type { Asker } from "../intake/asker.ts";
import type { RowButton } from "../replies/buttons.ts";
import { addressTo, type KeptFile, type OutgoingMessage } from "../replies/message.ts";
import { renderReply } from "../replies/render-reply.ts";
import { persist } from "./persist.ts";
import { createShownFiles } from "./shown-files.ts";

/** Where a message of the bot stands; undefined: nowhere, nobody could be told. */
export type Sent = { channelId: string; messageId: string } | undefined;

/** What stands where the answer to an interaction will be. */
export type Stage = {
  key: InteractionKey;
  asker: Asker;
  /** The asker alone sees it. */
  isPrivate: boolean;
  /** Nothing can be said through the interaction any more. */
  isOver: boolean;
  fileLimitBytes: number;
};

/** A message to be answered. */
export type Written = { asker: Asker; channelId: string; messageId: string };

/** Brings replies to people, by another way where the first is barred. */
export type Sender = ReturnType<typeof createSender>;

/** Discord's limit for files of a bot, where it does not say more. */
export const usualFileLimitBytes = 10 * 1024 * 1024;

export function createSender(options: {
  api: DiscordApi;
  /** Buttons of Discord's own that a reply should have. */
  extraButtons: (reply: Reply) => Promise<readonly RowButton[]>;
  onTrouble: (what: string, error: unknown) => void;
  /** Aborted when there is no more time for anybody. */
  signal: AbortSignal;
}) {
  const { api, onTrouble, signal } = options;
  const shown = createShownFiles();

  const sender = {
    /** The answer to a command or form, in place of "thinking". */
    async answer(reply: Reply, stage: Stage): Promise<Sent> {
      const isForAll = !stage.isPrivate && stage.asker.place.kind !== "direct";
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
      const kept = shown.find(messageId, reply);
      const sent = await deliver(reply, stage, (message) => api.editOriginal(stage.key, message), kept);
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
      const personId = to.asker.person.id;
      const sent =
        reply.isPrivate && to.asker.place.kind !== "direct"
          ? ((await sender.direct(reply, { personId, nonce: to.messageId })) ??
            (await answerMessage(await to.closed(), to)))
          : ((await answerMessage(reply, to)) ?? (await directInstead(reply, to)));
      if (reply.privately !== undefined) {
        await sender.direct(reply.privately, { personId, nonce: `${to.messageId}+` });
      }
      return sent;
    },

    /** A message in the channel that names the asker, whose own message is gone. */
    announce: (reply: Reply, { asker, channelId, messageId }: Written): Promise<Sent> =>
      write(reply, channelId, { asker, nonce: messageId }),

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
    kept?: KeptFile,
  ): Promise<Sent> {
    if (!stage.isOver) {
      try {
        const attemptSend = (message: OutgoingMessage) => persist(() => send(message), { signal });
        return await withLighterFiles(reply, stage.fileLimitBytes, attemptSend, kept);
      } catch (error) {
        onTrouble("answer to an interaction", error);
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

  async function elsewhere(reply: Reply, { key, asker }: Stage): Promise<Sent> {
    const { person, place, writableChannelId } = asker;
    if (writableChannelId !== undefined && (!reply.isPrivate || place.kind === "direct")) {
      const sent = await write(reply, writableChannelId, { asker, nonce: key.id });
      if (sent !== undefined) return sent;
    }
    return await sender.direct(reply, { personId: person.id, nonce: key.id });
  }

  async function write(
    reply: Reply,
    channelId: string,
    { asker: { person }, nonce }: { asker: Asker; nonce: string },
  ): Promise<Sent> {
    return await attempt("message in the channel", () =>
      withLighterFiles(reply, usualFileLimitBytes, (message) =>
        persist(() => api.send(channelId, addressTo(person.id, message), { nonce, ping: person.id }), {
          signal,
        }),
      ),
    );
  }

  async function answerMessage(reply: Reply, { asker, channelId, messageId }: Written): Promise<Sent> {
    return await attempt("answer to a message", () =>
      withLighterFiles(reply, usualFileLimitBytes, async (message) => {
        const nonce = messageId;
        try {
          return await persist(() => api.send(channelId, message, { nonce, replyTo: messageId }), { signal });
        } catch (error) {
          if (!isReferenceRefused(error)) throw error;
          const { id } = asker.person;
          return await persist(() => api.send(channelId, addressTo(id, message), { nonce, ping: id }), {
            signal,
          });
        }
      }),
    );
  }

  async function directInstead(reply: Reply, { asker, messageId }: Written): Promise<Sent> {
    if (asker.place.kind === "direct") return undefined;
    return await sender.direct(reply, { personId: asker.person.id, nonce: messageId });
  }

  /** With its files, or without where Discord does not take them. */
  async function withLighterFiles(
    reply: Reply,
    fileLimitBytes: number,
    send: (message: OutgoingMessage) => Promise<{ id: string; channel_id: string }>,
    kept?: KeptFile,
  ): Promise<Sent> {
    const extraButtons = await options.extraButtons(reply);
    const sendAs = async (how: { fileLimitBytes: number; kept?: KeptFile }) => {
      const message = await renderReply(reply, { ...how, extraButtons });
      const sent = await send(message);
      shown.note(reply, message, sent);
      return toSent(sent);
    };
    try {
      if (kept !== undefined) return await sendAs({ fileLimitBytes, kept });
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
      onTrouble(what, error);
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
