import type { BotCore, Chat } from "@koma/bot-core";

/**
 * Maps supergroups to the group they were created from: a group keeps its settings although its id changes.
 */
export type ChatNames = ReturnType<typeof createChatNames>;

export function createChatNames(memory: BotCore["memory"]) {
  const first = new Map<string, Promise<string>>();
  const limit = 10_000;
  const findFirst = (id: string): Promise<string> => {
    const known = first.get(id);
    if (known !== undefined) return known;
    if (first.size > limit) first.clear();
    const found = memory.get(nameOf(id)).then(
      (before) => before ?? id,
      () => id,
    );
    first.set(id, found);
    return found;
  };
  return {
    /** The chat with its first id. */
    async settle(chat: Chat): Promise<Chat> {
      return chat.kind === "direct" ? chat : { ...chat, id: await findFirst(chat.id) };
    },
    async move(from: number, to: number): Promise<void> {
      const before = await findFirst(String(from));
      first.set(String(to), Promise.resolve(before));
      await memory.set(nameOf(String(to)), before);
    },
  };
}

function nameOf(id: string): string {
  return `moved:${id}`;
}
