import type { BlockedChat as BlockedChatRow, PrismaClient } from "../generated/client.ts";

/** A blocked chat user or server; `key` is a keyed HMAC. */
export type BlockedChat = { key: string; kind: "user" | "server"; note: string | null; createdAt: Date };

/** The chat users and servers that the bots do not serve. */
export function createChatBlocks(prisma: PrismaClient) {
  return {
    /** Blocks a chat user or server; a second call changes the note. */
    async block(options: Omit<BlockedChat, "createdAt">): Promise<void> {
      const { key, kind, note } = options;
      await prisma.$executeRaw`
        INSERT INTO "BlockedChat" ("key", "kind", "note") VALUES (${key}, ${kind}, ${note})
        ON CONFLICT ("key") DO UPDATE SET "kind" = excluded."kind", "note" = excluded."note"`;
    },

    /** Removes a block; false when there was none. */
    async unblock(key: string): Promise<boolean> {
      return (await prisma.blockedChat.deleteMany({ where: { key } })).count > 0;
    },

    /** The block of one of these keys. */
    async find(keys: readonly string[]): Promise<BlockedChat | undefined> {
      const row = await prisma.blockedChat.findFirst({ where: { key: { in: [...keys] } } });
      return row === null ? undefined : toBlockedChat(row);
    },

    /** All blocks, newest first. */
    async list(): Promise<BlockedChat[]> {
      const rows = await prisma.blockedChat.findMany({ orderBy: [{ createdAt: "desc" }, { key: "asc" }] });
      return rows.map(toBlockedChat);
    },
  };
}

function toBlockedChat(row: BlockedChatRow): BlockedChat {
  return { ...row, kind: row.kind === "server" ? "server" : "user" };
}
