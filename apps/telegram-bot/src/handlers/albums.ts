import { setTimeout as sleep } from "node:timers/promises";
import type { Message } from "grammy/types";

/** Telegram sends the images of an album as separate messages, in quick succession. */
const albumWaitMs = 700;
const longestMs = 4_000;
/** A message that arrives after its album was processed is still recognized for this long. */
const albumTtlMs = 10 * 60_000;

/** Messages that belong together. */
export type Album = {
  id: string;
  messages: readonly Message[];
  /** Earlier messages of the same album, if these arrived too late. */
  earlier: readonly Message[];
};

/** Collects the messages of albums. */
export type Albums = ReturnType<typeof createAlbums>;

type Part = { id: string; messages: Message[]; lastAt: number; isTaken: boolean; isClosed: boolean };

export function createAlbums() {
  const known = new Map<string, Part[]>();

  return {
    /** Records a message when it arrives; messages without an album are skipped. */
    add(message: Message): void {
      const group = nameAlbum(message);
      if (group === undefined) return;
      const parts = known.get(group) ?? [];
      known.set(group, parts);
      if (findPart(parts, message) !== undefined) return;
      const open = parts.find(({ isClosed }) => !isClosed);
      if (open !== undefined) {
        open.messages.push(message);
        open.lastAt = Date.now();
        return;
      }
      const id = `${group}:${message.message_id}`;
      const part = { id, messages: [message], lastAt: Date.now(), isTaken: false, isClosed: false };
      parts.push(part);
      setTimeout(() => forget(group, part), albumTtlMs).unref();
    },

    /**
     * The messages of an album that arrived in time, for the first caller; undefined for the other messages,
     * which that reply covers. Later messages form another album. A message without an album is an album of
     * its own.
     */
    async take(message: Message): Promise<Album | undefined> {
      const group = nameAlbum(message) ?? "";
      const parts = known.get(group) ?? [];
      const part = findPart(parts, message);
      if (part === undefined) {
        return { id: `m:${message.chat.id}:${message.message_id}`, messages: [message], earlier: [] };
      }
      if (part.isTaken) return undefined;
      part.isTaken = true;
      await waitForAlbum(part);
      part.isClosed = true;
      const earlier = parts.slice(0, parts.indexOf(part)).flatMap(({ messages }) => messages);
      return { id: part.id, messages: inOrder(part.messages), earlier: inOrder(earlier) };
    },
  };

  function forget(group: string, part: Part): void {
    const left = (known.get(group) ?? []).filter((one) => one !== part);
    if (left.length === 0) known.delete(group);
    else known.set(group, left);
  }
}

async function waitForAlbum(part: Part): Promise<void> {
  const latest = Date.now() + longestMs;
  for (;;) {
    const leftMs = Math.min(part.lastAt + albumWaitMs, latest) - Date.now();
    if (leftMs <= 0) return;
    await sleep(leftMs);
  }
}

function findPart(parts: readonly Part[], { message_id: id }: Message): Part | undefined {
  return parts.find(({ messages }) => messages.some(({ message_id: known }) => known === id));
}

function inOrder(messages: readonly Message[]): Message[] {
  return messages.toSorted((one, other) => one.message_id - other.message_id);
}

function nameAlbum({ media_group_id: group, chat }: Message): string | undefined {
  return group === undefined ? undefined : `g:${chat.id}:${group}`;
}
