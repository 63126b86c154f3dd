import type { Reader } from "../connection/open-replicas.ts";
import type { PrismaClient } from "../generated/client.ts";

/** An episode with the hash of its published content. */
export type EpisodeContent = { id: string; contentHash: string };

/**
 * The stills of the shots of each episode as one value, which the database does not interpret. They belong to
 * one content of the episode and are deleted with it.
 */
export type StillSetStore = ReturnType<typeof createStills>;

export function createStills(prisma: PrismaClient, read: Reader) {
  return {
    /**
     * Stores the stills of this content in place of earlier ones. Has no effect when the episode is removed
     * or has other content.
     */
    async write({ id, contentHash }: EpisodeContent, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
      await prisma.$executeRaw`
        INSERT INTO "StillSet" ("episodeId", "contentHash", "bytes")
        SELECT "id", "contentHash", ${bytes}::bytea FROM "Episode"
        WHERE "id" = ${id} AND "contentHash" = ${contentHash} FOR KEY SHARE
        ON CONFLICT ("episodeId") DO UPDATE SET "contentHash" = excluded."contentHash", "bytes" = excluded."bytes"`;
    },

    /** At most `length` bytes from `offset`, from a replica; undefined when no stills of this content are stored. */
    async read(
      { id, contentHash }: EpisodeContent,
      offset: number,
      length: number,
    ): Promise<Uint8Array | undefined> {
      const [row] = await read(
        (client) => client.$queryRaw<{ part: Uint8Array }[]>`
          SELECT substring("bytes" FROM ${offset + 1}::int FOR ${length}::int) AS "part" FROM "StillSet"
          WHERE "episodeId" = ${id} AND "contentHash" = ${contentHash}`,
        (rows) => rows.length > 0,
      );
      return row?.part;
    },

    /** The content of which each episode has stills, by episode. */
    async list(): Promise<Map<string, string>> {
      const rows = await prisma.stillSet.findMany({ select: { episodeId: true, contentHash: true } });
      return new Map(rows.map(({ episodeId, contentHash }) => [episodeId, contentHash]));
    },

    /** Deletes the stills of these episodes. */
    async remove(episodeIds: readonly string[]): Promise<void> {
      await prisma.stillSet.deleteMany({ where: { episodeId: { in: [...episodeIds] } } });
    },
  };
}
