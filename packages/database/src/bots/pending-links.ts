import type { PersonId } from "./bot-accounts.ts";
import type { PrismaClient } from "./generated/client.ts";
import { type Sealed, toBytes } from "./sealed.ts";

/** A wish to link that waits for its approval. */
export type PendingLink = PersonId & Sealed & { id: string; intervalSeconds: number; expiresAt: Date };

/** Wishes to link that wait for their approval. */
export type PendingLinkStore = ReturnType<typeof createPendingLinks>;

export function createPendingLinks(prisma: PrismaClient) {
  return {
    /** Keeps a wish, besides those that the same person has. */
    async put(request: PendingLink & { nextPollAt: Date }): Promise<void> {
      await prisma.pendingLink.create({ data: { ...request, sealed: toBytes(request.sealed) } });
    },

    /** A person's wishes; the one that lasts longest first. */
    async list({ platform, personKey }: PersonId): Promise<PendingLink[]> {
      const where = { platform, personKey };
      return await prisma.pendingLink.findMany({ where, orderBy: { expiresAt: "desc" } });
    },

    /** Undefined: it is gone. */
    async find(id: string): Promise<PendingLink | undefined> {
      return (await prisma.pendingLink.findUnique({ where: { id } })) ?? undefined;
    },

    /** Changes what a wish holds. */
    async reseal(id: string, { keyId, sealed }: Sealed): Promise<void> {
      await prisma.pendingLink.updateMany({ where: { id }, data: { keyId, sealed: toBytes(sealed) } });
    },

    /** Those that are due, and not again before their interval is over: one asker each, however many processes there are. */
    async takeDue(platform: string, at: Date): Promise<PendingLink[]> {
      return await prisma.$queryRaw<PendingLink[]>`
        UPDATE "bots"."PendingLink" SET "nextPollAt" = ${at}::timestamptz + make_interval(secs => "intervalSeconds")
        WHERE "platform" = ${platform} AND "nextPollAt" <= ${at}
        RETURNING "id", "platform", "personKey", "keyId", "sealed", "intervalSeconds", "expiresAt"`;
    },

    /** When the next one is due; undefined: there is none. */
    async findNextPoll(platform: string): Promise<Date | undefined> {
      const where = { platform };
      const row = await prisma.pendingLink.findFirst({ where, orderBy: { nextPollAt: "asc" } });
      return row?.nextPollAt;
    },

    async setInterval(id: string, intervalSeconds: number): Promise<void> {
      await prisma.pendingLink.updateMany({ where: { id }, data: { intervalSeconds } });
    },

    /** Ends a wish; false where it was gone. */
    async remove(id: string): Promise<boolean> {
      return (await prisma.pendingLink.deleteMany({ where: { id } })).count > 0;
    },

    /** Long after their end; until then whoever began them can be told that they ran out. */
    async collectGarbage(at: Date): Promise<void> {
      const dayAgo = new Date(at.getTime() - 24 * 3_600_000);
      await prisma.pendingLink.deleteMany({ where: { expiresAt: { lt: dayAgo } } });
    },
  };
}
