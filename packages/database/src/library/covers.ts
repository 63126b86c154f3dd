import { createHash } from "node:crypto";
import type { Reader } from "../connection/open-replicas.ts";
import { runTransaction } from "../connection/run-transaction.ts";
import type { PrismaClient } from "../generated/client.ts";

/** An anime whose cover is not stored, and the address of the cover at the metadata source. */
export type MissingCover = { animeId: string; sourceUrl: string };

/** The scaled covers of anime. They are deleted with their anime. */
export function createCovers(prisma: PrismaClient, read: Reader) {
  return {
    /** The anime with a known cover that is not stored, or was stored from another address. */
    async listMissing(): Promise<MissingCover[]> {
      return await prisma.$queryRaw`
        SELECT a."id" AS "animeId", a."coverUrl" AS "sourceUrl"
        FROM "Anime" a LEFT JOIN "AnimeCover" c ON c."animeId" = a."id"
        WHERE a."coverUrl" IS NOT NULL AND c."sourceUrl" IS DISTINCT FROM a."coverUrl" ORDER BY a."id"`;
    },

    /**
     * Stores a cover in place of an earlier one. Returns false without an effect when the anime was deleted or
     * has another cover by now.
     */
    async write({ animeId, sourceUrl }: MissingCover, bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
      return await runTransaction(prisma, async (tx) => {
        const coverVersion = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
        const { count } = await tx.anime.updateMany({
          where: { id: animeId, coverUrl: sourceUrl },
          data: { coverVersion },
        });
        if (count === 0) return false;
        await tx.animeCover.upsert({
          where: { animeId },
          create: { animeId, sourceUrl, bytes },
          update: { sourceUrl, bytes },
          select: { animeId: true },
        });
        return true;
      });
    },

    /** The cover of an anime in this version, from a replica; undefined when it is not stored. */
    async read(animeId: string, coverVersion: string): Promise<Uint8Array | undefined> {
      const row = await read(
        (client) =>
          client.animeCover.findFirst({
            where: { animeId, anime: { coverVersion } },
            select: { bytes: true },
          }),
        (found) => found !== null,
      );
      return row?.bytes;
    },
  };
}
