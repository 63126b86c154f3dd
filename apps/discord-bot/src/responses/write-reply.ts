import type { PreviewFile, Reply } from "@koma/bot-core";
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
  async function writeReply(reply: Reply, route: Route): Promise<Sent> {
    try {
      return await sendCard(reply, route);
    } catch (error) {
      if (!isInvalidBody(error) && !(error instanceof UnwritableReplyError)) throw error;
      onError("rejected reply", error);
      return toSent(await route.send(renderPlainText(reply, { isEdit: route.isEdit === true })));
    }
  }

  /** Sends the card with the file that the message has already, or without one; others are added later. */
  async function sendCard(reply: Reply, route: Route): Promise<Sent> {
    const extraButtons = await options.extraButtons(reply);
    const sendAs = async (saved?: SavedFile) => {
      const message = renderReply(reply, { saved, extraButtons });
      const sent = await route.send(message);
      shown.save(reply, message, sent);
      addPreview(reply, sent, route);
      return toSent(sent);
    };
    const { saved } = route;
    try {
      if (saved !== undefined) return await sendAs(saved);
    } catch (error) {
      // Discord no longer has the file: it is uploaded again.
      if (!(error instanceof DiscordAPIError) || error.status !== 400) throw error;
    }
    return await sendAs();
  }

  /**
   * Adds the still to a sent message, and then the clip in its place, unless the user moved to another page
   * meanwhile. After a crash the message stays as it is: the request is complete once the message is sent.
   */
  function addPreview({ preview }: Reply, sent: APIMessage, route: Route): void {
    const { fileLimitBytes } = route;
    if (preview === undefined || fileLimitBytes === 0) return;
    const { key } = preview;
    let acceptsFiles = true;
    options.startJob("adding a preview", async () => {
      for (const kind of preview.variant === "clip" ? (["still", "clip"] as const) : (["still"] as const)) {
        if (!acceptsFiles || !isMissing(kind)) continue;
        const file = await preview[kind](fileLimitBytes);
        if (file !== undefined) await addFile(file, kind);
      }
    });

    /** True if the message still shows the scene, and without this file; a clip stands for the still too. */
    function isMissing(kind: "still" | "clip"): boolean {
      if (shown.findReply(sent.id)?.preview?.key !== key) return false;
      const name = shown.findFile(sent.id, { preview })?.name;
      return name === undefined || (kind === "clip" && !name.endsWith(".mp4"));
    }

    async function addFile(file: PreviewFile, kind: "still" | "clip"): Promise<void> {
      await shown.inOrder(sent.id, async () => {
        const reply = shown.findReply(sent.id);
        if (reply === undefined || !isMissing(kind)) return;
        const extraButtons = await options.extraButtons(reply);
        const message = renderReply(reply, { extraButtons, file });
        try {
          const edited = await persist(() => route.edit(sent, message), { signal });
          shown.save(reply, message, edited);
        } catch (error) {
          acceptsFiles = !isGone(error) && !isAboutFiles(error);
          if (!isGone(error)) onError("adding a preview", error);
        }
      });
    }
  }

  return writeReply;
}

function toSent({ id, channel_id: channelId }: { id: string; channel_id: string }): Sent {
  return { channelId, messageId: id };
}
