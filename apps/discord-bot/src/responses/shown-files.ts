import type { Reply } from "@koma/bot-core";
import type { OutgoingMessage, SavedFile } from "../replies/message.ts";

const limit = 2_000;

/** Which preview a message shows, for a while: a change of its words alone need not upload it again. */
export function createShownFiles() {
  const shown = new Map<string, { key: string; file: SavedFile }>();

  return {
    /** The file of that message, where it shows this reply's preview. */
    find(messageId: string | undefined, { preview }: Reply): SavedFile | undefined {
      const known = messageId === undefined ? undefined : shown.get(messageId);
      return known !== undefined && known.key === preview?.key ? known.file : undefined;
    },
    /** What came of sending: `sent` as Discord describes the message. */
    note({ preview }: Reply, message: OutgoingMessage, sent: { id: string }): void {
      const [file] = [...message.files, ...message.saved];
      const id = findAttachmentId(sent);
      shown.delete(sent.id);
      if (preview === undefined || file === undefined || id === undefined) return;
      const { name, description } = file;
      shown.set(sent.id, { key: preview.key, file: { id, name, description } });
      const oldest = shown.keys().next();
      if (shown.size > limit && oldest.done !== true) shown.delete(oldest.value);
    },
  };
}

/** Files that components show are named there. */
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
