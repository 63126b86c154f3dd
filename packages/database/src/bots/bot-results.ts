import type { PersonId } from "./bot-accounts.ts";
import type { PrismaClient, KeptResult as SavedResultRow } from "./generated/client.ts";
import { type Sealed, toBytes } from "./sealed.ts";

/** An answered search of a person. Without `pictureKey` or `fileKey` it answers no other request. */
export type SavedResult = Omit<SavedResultRow, "sealed"> & Sealed;

/** Several pictures of one request. */
export type SavedAlbum = PersonId & Sealed & { id: string; expiresAt: Date };

/** Answered searches, for as long as the API keeps them. */
export type BotResultStore = ReturnType<typeof createBotResults>;

export function createBotResults(prisma: PrismaClient) {
  return {
    /** Keeps a result; the one that was kept of the same request, where there is one. */
    async put(result: SavedResult): Promise<SavedResult> {
      const data = [{ ...result, sealed: toBytes(result.sealed) }];
      await prisma.keptResult.createMany({ data, skipDuplicates: true });
      const { platform, requestKey } = result;
      return await prisma.keptResult.findUniqueOrThrow({
        where: { platform_requestKey: { platform, requestKey } },
      });
    },

    async find(platform: string, id: string, at: Date): Promise<SavedResult | undefined> {
      const where = { id, platform, expiresAt: { gt: at } };
      return (await prisma.keptResult.findFirst({ where })) ?? undefined;
    },

    async findByRequest(platform: string, requestKey: string, at: Date): Promise<SavedResult | undefined> {
      const where = { platform, requestKey, expiresAt: { gt: at } };
      return (await prisma.keptResult.findFirst({ where })) ?? undefined;
    },

    /** The newest result of the same picture, by its bytes or by the platform's name of the file. */
    async findSame(
      { platform, personKey }: PersonId,
      by: { pictureKey: string } | { fileKey: string },
      at: Date,
    ): Promise<SavedResult | undefined> {
      const where = { platform, personKey, ...by, expiresAt: { gt: at } };
      return (await prisma.keptResult.findFirst({ where, orderBy: { createdAt: "desc" } })) ?? undefined;
    },

    async findInAlbum(albumId: string, albumIndex: number): Promise<SavedResult | undefined> {
      const where = { albumId, albumIndex };
      return (await prisma.keptResult.findFirst({ where, orderBy: { createdAt: "desc" } })) ?? undefined;
    },

    /** What is on show, and what was confirmed. False: it is gone. */
    async change(
      id: string,
      changes: Partial<Pick<SavedResult, "page" | "isOpened" | "confirmedRank">>,
    ): Promise<boolean> {
      return (await prisma.keptResult.updateMany({ where: { id }, data: changes })).count > 0;
    },

    /** Other content of the same result: fresh preview addresses. */
    async reseal(id: string, { keyId, sealed }: Sealed): Promise<void> {
      await prisma.keptResult.updateMany({ where: { id }, data: { keyId, sealed: toBytes(sealed) } });
    },

    /** A person's own, newest first. */
    async list({ platform, personKey }: PersonId, limit: number, at: Date): Promise<SavedResult[]> {
      const where = { platform, personKey, expiresAt: { gt: at } };
      return await prisma.keptResult.findMany({ where, orderBy: { createdAt: "desc" }, take: limit });
    },

    async remove(id: string): Promise<void> {
      await prisma.keptResult.deleteMany({ where: { id } });
    },

    async putAlbum(album: SavedAlbum): Promise<void> {
      const data = [{ ...album, sealed: toBytes(album.sealed) }];
      await prisma.album.createMany({ data, skipDuplicates: true });
    },

    async findAlbum(platform: string, id: string, at: Date): Promise<SavedAlbum | undefined> {
      const where = { id, platform, expiresAt: { gt: at } };
      return (await prisma.album.findFirst({ where })) ?? undefined;
    },

    async collectGarbage(at: Date): Promise<void> {
      await prisma.keptResult.deleteMany({ where: { expiresAt: { lte: at } } });
      await prisma.album.deleteMany({ where: { expiresAt: { lte: at } } });
    },
  };
}
