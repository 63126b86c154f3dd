import type { PersonId } from "./bot-accounts.ts";
import type { PrismaClient, KeptResult as SavedResultRow } from "./generated/client.ts";
import { type Sealed, toBytes } from "./sealed.ts";

/**
 * A saved search result of a chat user. Later requests with the same image find it by `pictureKey` and
 * `fileKey`.
 */
export type SavedResult = Omit<SavedResultRow, "sealed"> & Sealed;

/** The images of one request. */
export type SavedAlbum = PersonId & Sealed & { id: string; expiresAt: Date };

/** Saved search results; they expire with the API's searches. */
export function createBotResults(prisma: PrismaClient) {
  return {
    /** Saves a result; returns the earlier one when the request has one. */
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

    /** The newest result of the same image, by its bytes or by the platform's file id. */
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

    /** Changes the displayed page and the confirmation. False when the result was deleted. */
    async change(
      id: string,
      changes: Partial<Pick<SavedResult, "page" | "isOpened" | "confirmedRank">>,
    ): Promise<boolean> {
      return (await prisma.keptResult.updateMany({ where: { id }, data: changes })).count > 0;
    },

    /** Replaces the content of a result, for example its preview addresses. */
    async reseal(id: string, { keyId, sealed }: Sealed): Promise<void> {
      await prisma.keptResult.updateMany({ where: { id }, data: { keyId, sealed: toBytes(sealed) } });
    },

    /** A chat user's results, newest first. */
    async list({ platform, personKey }: PersonId, limit: number, at: Date): Promise<SavedResult[]> {
      const where = { platform, personKey, expiresAt: { gt: at } };
      return await prisma.keptResult.findMany({ where, orderBy: { createdAt: "desc" }, take: limit });
    },

    async putAlbum(album: SavedAlbum): Promise<void> {
      const data = [{ ...album, sealed: toBytes(album.sealed) }];
      await prisma.album.createMany({ data, skipDuplicates: true });
    },

    /** Replaces the content of an album, for example the outcomes of its images. */
    async resealAlbum(id: string, { keyId, sealed }: Sealed): Promise<void> {
      await prisma.album.updateMany({ where: { id }, data: { keyId, sealed: toBytes(sealed) } });
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
