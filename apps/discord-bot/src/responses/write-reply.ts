import type { Reply } from "@koma/bot-core";
import { type APIMessage, type ButtonBuilder, DiscordAPIError } from "discord.js";
import { isAboutFiles, isGone, isInvalidBody } from "../discord/error-codes.ts";
import type { SavedFile } from "../replies/message.ts";
import { renderPlainText, renderReply, UnwritableReplyError } from "../replies/render-reply.ts";
import { persist } from "./persist.ts";
import type { Route } from "./routes.ts";
import type { ShownMessages } from "./shown-messages.ts";

/** The location of a message of the bot; undefined if no message could be sent. */
export type Sent = { channelId: string; messageId: string } | undefined;

/** What the writing of replies needs of the bot. */
export type WriterOptions = {
  /** Buttons of Discord's own that a reply has. */
  extraButtons: (reply: Reply) => Promise<readonly ButtonBuilder[]>;
  /** Runs work after the reply was sent; a shutdown waits for it. */
  startJob: (name: string, work: () => Promise<unknown>) => void;
  onError: (what: string, error: unknown) => void;
  /** Aborted when the shutdown deadline has passed. */
  signal: AbortSignal;
};

/** Creates the function that writes a reply on a route, with less of it if Discord rejects a part. */
export function createReplyWriter(options: WriterOptions & { shown: ShownMessages }) {
  const { shown, onError, signal } = options;

  /** Sends the reply; if Discord or a builder rejects the card, its text without formatting. */
  return async function writeReply(reply: Reply, route: Route): Promise<Sent> {
    try {
      return await sendCard(reply, route);
    } catch (error) {
      if (!isInvalidBody(error) && !(error instanceof UnwritableReplyError)) throw error;
      onError("rejected reply", error);
      return toSent(await route.send(renderPlainText(reply, { isEdit: route.isEdit === true })));
    }
  };

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
}

function toSent({ id, channel_id: channelId }: { id: string; channel_id: string }): Sent {
  return { channelId, messageId: id };
}
