import type { Message } from "grammy/types";

/** Telegram sends the pictures of an album as messages of their own, one right after the other. */
const quietMs = 700;
const longestMs = 4_000;
/** One that comes later than its album was answered belongs to it all the same. */
const rememberedMs = 10 * 60_000;

/** Messages that belong together. */
export type Album = { id: string; messages: readonly Message[] };

/** Collects the messages of albums. */
export type Albums = ReturnType<typeof createAlbums>;

type Open = { messages: Message[]; whole: Promise<Album>; touch: () => void; isTaken: boolean };

export function createAlbums() {
  const open = new Map<string, Open>();

  return {
    /** Notes a message as soon as it is there; what belongs to no album is left out. */
    add(message: Message): void {
      const id = nameAlbum(message);
      if (id === undefined) return;
      const known = open.get(id);
      if (known === undefined) open.set(id, collect(id, message));
      else if (!known.messages.some(({ message_id }) => message_id === message.message_id)) {
        known.messages.push(message);
        known.touch();
      }
    },

    /**
     * The whole album of a message, for the first who asks; undefined for the others, which are answered by that. A
     * message that belongs to none is one of its own.
     */
    async take(message: Message): Promise<Album | undefined> {
      const id = nameAlbum(message);
      const known = id === undefined ? undefined : open.get(id);
      if (known === undefined)
        return { id: `m:${message.chat.id}:${message.message_id}`, messages: [message] };
      if (known.isTaken) return undefined;
      known.isTaken = true;
      return await known.whole;
    },
  };

  function collect(id: string, first: Message): Open {
    const messages = [first];
    let resolve = () => {};
    const promise = new Promise<void>((done) => {
      resolve = done;
    });
    const latest = setTimeout(resolve, longestMs);
    let quiet = setTimeout(resolve, quietMs);
    const touch = () => {
      clearTimeout(quiet);
      quiet = setTimeout(resolve, quietMs);
    };
    const whole = promise.then((): Album => {
      clearTimeout(latest);
      clearTimeout(quiet);
      setTimeout(() => open.delete(id), rememberedMs).unref();
      return { id, messages: messages.toSorted((one, other) => one.message_id - other.message_id) };
    });
    return { messages, whole, touch, isTaken: false };
  }
}

function nameAlbum({ media_group_id: group, chat }: Message): string | undefined {
  return group === undefined ? undefined : `g:${chat.id}:${group}`;
}
