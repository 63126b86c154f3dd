import type { Query } from "../connection/query.ts";
import { createId } from "../create-id.ts";
import { ClaimLostError } from "../errors.ts";
import { Prisma, type PrismaClient } from "../generated/client.ts";
import type { EpisodeClaim } from "./episode-claims.ts";

/** The stored descriptors of one episode; the database does not interpret them. */
export type StoredDescriptors = { frameTable: Uint8Array; chunks: Uint8Array[] };

/** What the descriptors of an episode contain: those of a model, in a version of the engine and later ones. */
export type DescriptorVersion = { modelId: string; version: number };

const chunkLimitBytes = 256 * 1024;
// A set has some megabytes; a longer statement would hold its response in memory.
const setsPerStatement = 10;

export function createDescriptors(prisma: PrismaClient, query: Query) {
  return {
    /**
     * Stores descriptors that stay invisible until `publish`, and returns the id of the set. Chunks have at
     * most 256 KiB and a statement each, so that no process holds a whole set. `version` is that of the
     * content; default: 1, the first. Throws ClaimLostError.
     */
    async stageDescriptors(
      claim: EpisodeClaim,
      set: {
        modelId: string;
        frameTable: Uint8Array;
        frameCount: number;
        chunks: readonly Uint8Array[];
        version?: number | undefined;
      },
    ): Promise<string> {
      if (set.chunks.some((chunk) => chunk.length > chunkLimitBytes)) {
        throw new RangeError(`A chunk of descriptors is larger than ${chunkLimitBytes} bytes.`);
      }
      const { episodeId, token } = claim;
      const setId = createId();
      const created = await prisma.$executeRaw`
        INSERT INTO "DescriptorSet" ("id", "episodeId", "modelId", "claimToken", "frameTable", "frameCount", "chunkCount", "version")
        SELECT ${setId}, e."id", ${set.modelId}, ${token}, ${asBytes(set.frameTable)}, ${set.frameCount}, ${set.chunks.length},
          ${set.version ?? 1}
        FROM "Episode" e
        WHERE e."id" = ${episodeId} AND e."claimToken" = ${token} AND e."claimExpiresAt" > clock_timestamp()`;
      if (created !== 1) throw new ClaimLostError(episodeId);
      for (const [index, chunk] of set.chunks.entries()) {
        await prisma.descriptorChunk
          .create({ data: { setId, index, bytes: asBytes(chunk) }, select: { index: true } })
          .catch((error: unknown) => {
            throw isMissingParent(error) ? new ClaimLostError(episodeId) : error;
          });
      }
      return setId;
    },

    /** Published descriptors; undefined when this model has none, or when chunks are missing. */
    async readDescriptors(episodeId: string, modelId: string): Promise<StoredDescriptors | undefined> {
      // One statement reads all parts from one set, even while another set is being published.
      const rows = await prisma.$queryRaw<{ index: number; bytes: Uint8Array; chunkCount: number }[]>`
        WITH published AS (
          SELECT * FROM "DescriptorSet"
          WHERE "episodeId" = ${episodeId} AND "modelId" = ${modelId} AND "seq" IS NOT NULL)
        SELECT -1 AS "index", "frameTable" AS "bytes", "chunkCount" FROM published
        UNION ALL
        SELECT c."index", c."bytes", 0 FROM "DescriptorChunk" c JOIN published p ON p."id" = c."setId"
        ORDER BY "index"`;
      const [head, ...parts] = rows;
      if (head === undefined || parts.length !== head.chunkCount) return undefined;
      return { frameTable: head.bytes, chunks: parts.map((part) => part.bytes) };
    },

    /** The published frame table of an episode: its times and shots, without the vectors. */
    async readFrameTable(episodeId: string, modelId: string): Promise<Uint8Array | undefined> {
      const where = { episodeId, modelId, seq: { not: null } };
      const set = await prisma.descriptorSet.findFirst({ where, select: { frameTable: true } });
      return set?.frameTable;
    },

    /** All episodes that are searchable with this model, in the order of publication. */
    async listReady(modelId: string): Promise<{ episodeId: string; seq: bigint }[]> {
      const rows = await query<{ episodeId: string; seq: string }>(
        `SELECT "episodeId", "seq" FROM "DescriptorSet" WHERE "modelId" = $1 AND "seq" IS NOT NULL ORDER BY "seq"`,
        [modelId],
      );
      return rows.map(({ episodeId, seq }) => ({ episodeId, seq: BigInt(seq) }));
    },

    /** Ids of the searchable episodes of one anime. */
    async listReadyIds(animeId: string): Promise<string[]> {
      const rows = await prisma.episode.findMany({
        where: { animeId, sets: { some: { seq: { not: null } } } },
        select: { id: true },
      });
      return rows.map(({ id }) => id);
    },

    /** Ids of the published episodes without descriptors of this model. */
    async listStale(modelId: string): Promise<string[]> {
      const rows = await prisma.episode.findMany({
        where: {
          sets: { some: { seq: { not: null } } },
          NOT: { sets: { some: { seq: { not: null }, modelId } } },
        },
        select: { id: true },
        orderBy: { id: "asc" },
      });
      return rows.map(({ id }) => id);
    },

    /** Ids of the published episodes, of all or of one anime, without descriptors of this model and version. */
    async listOutdated(current: DescriptorVersion, animeId?: string): Promise<string[]> {
      const where = { ...isOutdated(current), ...(animeId !== undefined && { animeId }) };
      const rows = await prisma.episode.findMany({ where, select: { id: true }, orderBy: { id: "asc" } });
      return rows.map(({ id }) => id);
    },

    /** True for a published episode without descriptors of this model and version. */
    async isOutdated(episodeId: string, current: DescriptorVersion): Promise<boolean> {
      return (await prisma.episode.count({ where: { id: episodeId, ...isOutdated(current) } })) > 0;
    },

    /** The number of episodes that are searchable with this model. */
    async countReady(modelId: string): Promise<number> {
      return await prisma.descriptorSet.count({ where: { modelId, seq: { not: null } } });
    },

    /** The number of published episodes without descriptors of this model and version. */
    async countOutdated(current: DescriptorVersion): Promise<number> {
      return await prisma.episode.count({ where: isOutdated(current) });
    },

    /**
     * Deletes the published descriptors of all other models and returns the number of deleted sets. Deletes
     * nothing while a published episode has no descriptors of this model. An instance that still runs another
     * model keeps only what it has in memory.
     */
    async dropOtherModels(modelId: string): Promise<number> {
      let dropped = 0;
      for (let last = setsPerStatement; last === setsPerStatement; dropped += last) {
        last = await prisma.$executeRaw`
          DELETE FROM "DescriptorSet" WHERE "id" IN (
            SELECT "id" FROM "DescriptorSet" WHERE "modelId" <> ${modelId} AND "seq" IS NOT NULL LIMIT ${setsPerStatement})
          AND NOT EXISTS (SELECT 1 FROM "DescriptorSet" s WHERE s."seq" IS NOT NULL AND NOT EXISTS (
            SELECT 1 FROM "DescriptorSet" o
            WHERE o."episodeId" = s."episodeId" AND o."modelId" = ${modelId} AND o."seq" IS NOT NULL))`;
      }
      return dropped;
    },

    /** Deletes staged descriptors whose claim has expired. */
    async collectGarbage(): Promise<void> {
      await prisma.$executeRaw`
        DELETE FROM "DescriptorSet" s WHERE s."seq" IS NULL AND NOT EXISTS (
          SELECT 1 FROM "Episode" e WHERE e."id" = s."episodeId" AND e."claimToken" = s."claimToken"
            AND e."claimExpiresAt" > clock_timestamp())`;
    },
  };
}

function isOutdated({ modelId, version }: DescriptorVersion) {
  const published = { seq: { not: null } };
  return {
    sets: { some: published },
    NOT: { sets: { some: { ...published, modelId, version: { gte: version } } } },
  } satisfies Prisma.EpisodeWhereInput;
}

// Prisma's types reject bytes in a SharedArrayBuffer.
function asBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : new Uint8Array(bytes);
}

// P2003: the set of this chunk was deleted.
function isMissingParent(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2003";
}
