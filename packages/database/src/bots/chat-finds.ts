import type { PersonId } from "./bot-accounts.ts";
import type { ChatId } from "./bot-settings.ts";
import type { PrismaClient } from "./generated/client.ts";

/** A confirmed match of a member of a chat. */
export type ChatFind = ChatId & PersonId & { resultId: string; animeId: string; foundAt: Date };

const dayMs = 24 * 3_600_000;
const retentionDays = 90;

/** What the members of chats confirmed, for 90 days. */
export function createChatFinds(prisma: PrismaClient) {
  return {
    /** Counts a result once; another confirmed anime of the same result replaces the earlier one. */
    async put(find: ChatFind): Promise<void> {
      const { platform, placeKey, resultId, ...data } = find;
      const key = { platform, placeKey, resultId };
      await prisma.chatFind.upsert({
        where: { platform_placeKey_resultId: key },
        create: { ...key, ...data },
        update: data,
      });
    },

    /** Removes a result whose confirmation was withdrawn. */
    async remove({ platform, placeKey }: ChatId, resultId: string): Promise<void> {
      await prisma.chatFind.deleteMany({ where: { platform, placeKey, resultId } });
    },

    /** Removes everything that was counted in a chat. */
    async removeChat({ platform, placeKey }: ChatId): Promise<void> {
      await prisma.chatFind.deleteMany({ where: { platform, placeKey } });
    },

    /** The anime that were confirmed most often in a chat, most often first. */
    async listTop(
      { platform, placeKey }: ChatId,
      { limit, at }: { limit: number; at: Date },
    ): Promise<{ animeId: string; count: number }[]> {
      const groups = await prisma.chatFind.groupBy({
        by: ["animeId"],
        where: { platform, placeKey, foundAt: { gte: startOf(at) } },
        _count: { resultId: true },
        orderBy: [{ _count: { resultId: "desc" } }, { animeId: "asc" }],
        take: limit,
      });
      return groups.map(({ animeId, _count }) => ({ animeId, count: _count.resultId }));
    },

    async collectGarbage(at: Date): Promise<void> {
      await prisma.chatFind.deleteMany({ where: { foundAt: { lt: startOf(at) } } });
    },
  };
}

function startOf(at: Date): Date {
  return new Date(at.getTime() - retentionDays * dayMs);
}
