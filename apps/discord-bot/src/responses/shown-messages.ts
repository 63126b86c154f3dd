import type { Reply } from "@koma/bot-core";
import { LRUCache } from "lru-cache";
import type { OutgoingMessage, SavedFile } from "../replies/message.ts";

type Shown = { reply: Reply; file: SavedFile | undefined };

/** The reply that each recent message shows. */
export type ShownMessages = ReturnType<typeof createShownMessages>;

/**
 * Stores the reply that each recent message shows. An edit of the words reuses the uploaded file, and a clip that
 * arrives later is added to the reply that the message shows by then.
 */
export function createShownMessages() {
  const shown = new LRUCache<string, Shown>({ max: 2_000 });
  const edits = new LRUCache<string, Promise<unknown>>({ max: 2_000 });

  return {
    /** The file of that message, if it shows the preview of this reply. */
    findFile(messageId: string | undefined, { preview }: Pick<Reply, "preview">): SavedFile | undefined {
      const known = messageId === undefined ? undefined : shown.get(messageId);
      return known?.reply.preview?.key === preview?.key ? known?.file : undefined;
    },
    /** The reply that the message shows. */
    findReply: (messageId: string): Reply | undefined => shown.get(messageId)?.reply,
    /** Saves what was sent; `sent` is the message as Discord describes it. */
    save(reply: Reply, message: OutgoingMessage, sent: { id: string }): void {
      const [file] = [...message.files, ...message.saved];
      const id = findAttachmentId(sent);
      const { name = "", description = "" } = file ?? {};
      shown.set(sent.id, { reply, file: id === undefined ? undefined : { id, name, description } });
    },
    /** Runs the edits of one message one after the other. */
    async inOrder<Result>(messageId: string | undefined, edit: () => Promise<Result>): Promise<Result> {
      if (messageId === undefined) return await edit();
      const before = edits.get(messageId) ?? Promise.resolve();
      const current = before.then(edit, edit);
      edits.set(messageId, current);
      return await current;
    },
  };
}

/** Discord names the files of components inside the components. */
function findAttachmentId(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if ("attachment_id" in value && typeof value.attachment_id === "string") return value.attachment_id;
  for (const name of ["attachments", "components", "items", "media"]) {
    const part: unknown = (value as Record<string, unknown>)[name];
    const [first] = Array.isArray(part) && name === "attachments" ? part : [];
    if (typeof first?.id === "string") return first.id;
    for (const one of Array.isArray(part) ? part : [part]) {
      const found = findAttachmentId(one);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}
