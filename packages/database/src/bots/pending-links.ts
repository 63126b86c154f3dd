import type { PersonId } from "./bot-accounts.ts";
import type { PrismaClient } from "./generated/client.ts";
import { type Sealed, toBytes } from "./sealed.ts";

/** A link request that waits for its approval. */
export type PendingLink = PersonId & Sealed & { id: string; intervalSeconds: number; expiresAt: Date };

/** The link requests that wait for their approval. */
export function createPendingLinks(prisma: PrismaClient) {
  return {
    /** Stores a request; the same chat user can have several. */
    async put(request: PendingLink & { nextPollAt: Date }): Promise<void> {
      await prisma.pendingLink.create({ data: { ...request, sealed: toBytes(request.sealed) } });
    },

    /** A chat user's requests, the last to expire first. */
    async list({ platform, personKey }: PersonId): Promise<PendingLink[]> {
      const where = { platform, personKey };
      return await prisma.pendingLink.findMany({ where, orderBy: { expiresAt: "desc" } });
    },

    /** The request with this id. */
    async find(id: string): Promise<PendingLink | undefined> {
      return (await prisma.pendingLink.findUnique({ where: { id } })) ?? undefined;
    },

    /** Replaces the ciphertext of a request. */
    async reseal(id: string, { keyId, sealed }: Sealed): Promise<void> {
      await prisma.pendingLink.updateMany({ where: { id }, data: { keyId, sealed: toBytes(sealed) } });
    },

    /** Takes the requests that are due and sets their next poll, so that one process polls each of them. */
    async takeDue(platform: string, at: Date): Promise<PendingLink[]> {
      return await prisma.$queryRaw<PendingLink[]>`
        UPDATE "bots"."PendingLink" SET "nextPollAt" = ${at}::timestamptz + make_interval(secs => "intervalSeconds")
        WHERE "platform" = ${platform} AND "nextPollAt" <= ${at}
        RETURNING "id", "platform", "personKey", "keyId", "sealed", "intervalSeconds", "expiresAt"`;
    },

    /** The time of the next poll; undefined without requests. */
    async findNextPoll(platform: string): Promise<Date | undefined> {
      const where = { platform };
      const row = await prisma.pendingLink.findFirst({ where, orderBy: { nextPollAt: "asc" } });
      return row?.nextPollAt;
    },

    async setInterval(id: string, intervalSeconds: number): Promise<void> {
      await prisma.pendingLink.updateMany({ where: { id }, data: { intervalSeconds } });
    },

    /** Deletes a request; false when there was none. */
    async remove(id: string): Promise<boolean> {
      return (await prisma.pendingLink.deleteMany({ where: { id } })).count > 0;
    },

    /** Deletes requests a day after their expiry; until then the bot can report the expiry. */
    async collectGarbage(at: Date): Promise<void> {
      const dayAgo = new Date(at.getTime() - 24 * 3_600_000);
      await prisma.pendingLink.deleteMany({ where: { expiresAt: { lt: dayAgo } } });
    },
  };
}
