import { runTransaction, type Transaction } from "../connection/run-transaction.ts";
import { createId } from "../create-id.ts";
import { ClaimLostError } from "../errors.ts";
import type { PrismaClient } from "../generated/client.ts";
import { takeChangeSeqs } from "./library-changes.ts";

/** The right to index one episode until the claim expires; it can be renewed. */
export type EpisodeClaim = { episodeId: string; token: string };

/** The facts about published content. */
export type PublishedFacts = {
  /** From `stageDescriptors`. */
  setId: string;
  sizeBytes: number;
  modifiedAtMs: number;
  contentHash: string;
  durationSeconds: number;
};

export function createEpisodeClaims(prisma: PrismaClient) {
  return {
    /**
     * Takes the right to index an episode for `leaseSeconds`; undefined while another holds it or the episode
     * is deleted.
     */
    async claim(
      id: string,
      holder: { owner: string; leaseSeconds: number },
    ): Promise<EpisodeClaim | undefined> {
      const token = createId();
      const claimed = await prisma.$executeRaw`
        UPDATE "Episode" SET "state" = 'indexing', "claimToken" = ${token}, "claimOwner" = ${holder.owner},
          "claimExpiresAt" = clock_timestamp() + make_interval(secs => ${holder.leaseSeconds})
        WHERE "id" = ${id} AND ("claimToken" IS NULL OR "claimExpiresAt" < clock_timestamp())`;
      return claimed === 1 ? { episodeId: id, token } : undefined;
    },

    /** Extends a claim; false when it is lost. */
    async renew(claim: EpisodeClaim, leaseSeconds: number): Promise<boolean> {
      const renewed = await prisma.$executeRaw`
        UPDATE "Episode" SET "claimExpiresAt" = clock_timestamp() + make_interval(secs => ${leaseSeconds})
        WHERE "id" = ${claim.episodeId} AND "claimToken" = ${claim.token} AND "claimExpiresAt" > clock_timestamp()`;
      return renewed === 1;
    },

    /**
     * Releases a claim and deletes its staged descriptors; the episode becomes `ready` if it was published
     * before, else `pending`.
     */
    async release(claim: EpisodeClaim): Promise<void> {
      await runTransaction(prisma, async (tx) => {
        await tx.$executeRaw`
          UPDATE "Episode" e SET "claimToken" = NULL, "claimOwner" = NULL, "claimExpiresAt" = NULL, "state" =
            (CASE WHEN EXISTS (SELECT 1 FROM "DescriptorSet" s WHERE s."episodeId" = e."id" AND s."seq" IS NOT NULL)
              THEN 'ready' ELSE 'pending' END)::"EpisodeState"
          WHERE e."id" = ${claim.episodeId} AND e."claimToken" = ${claim.token}`;
        await dropStaged(tx, claim);
      });
    },

    /**
     * Ends a claim with a problem in one sentence. Descriptors that were published earlier stay searchable.
     */
    async fail(claim: EpisodeClaim, problem: string): Promise<void> {
      await runTransaction(prisma, async (tx) => {
        await tx.$executeRaw`
          UPDATE "Episode" SET "claimToken" = NULL, "claimOwner" = NULL, "claimExpiresAt" = NULL,
            "state" = 'failed', "problem" = ${problem}
          WHERE "id" = ${claim.episodeId} AND "claimToken" = ${claim.token}`;
        await dropStaged(tx, claim);
      });
    },

    /**
     * In one transaction: the staged set replaces the published one of its model, the facts are written, the
     * change gets its number, and the claim ends. Throws ClaimLostError when the claim has expired or belongs
     * to another owner.
     */
    async publish(claim: EpisodeClaim, facts: PublishedFacts): Promise<void> {
      await runTransaction(prisma, async (tx) => {
        const staged = await tx.descriptorSet.findUnique({
          where: { id: facts.setId },
          select: { seq: true, claimToken: true, frameCount: true, modelId: true },
        });
        if (staged?.claimToken !== claim.token) throw new ClaimLostError(claim.episodeId);
        // Publishing the same set again changes nothing.
        if (staged.seq !== null) return;
        const known = await tx.episode.findUnique({
          where: { id: claim.episodeId },
          select: { contentHash: true },
        });
        const written = await tx.$executeRaw`
          UPDATE "Episode" SET "claimToken" = NULL, "claimOwner" = NULL, "claimExpiresAt" = NULL,
            "state" = 'ready', "problem" = NULL, "indexedAt" = clock_timestamp(), "frameCount" = ${staged.frameCount},
            "sizeBytes" = ${BigInt(facts.sizeBytes)}, "modifiedAtMs" = ${BigInt(facts.modifiedAtMs)},
            "contentHash" = ${facts.contentHash}, "durationSeconds" = ${facts.durationSeconds}
          WHERE "id" = ${claim.episodeId} AND "claimToken" = ${claim.token} AND "claimExpiresAt" > clock_timestamp()`;
        if (written !== 1) throw new ClaimLostError(claim.episodeId);
        const others = { episodeId: claim.episodeId, id: { not: facts.setId } };
        // Another model's descriptors stay searchable for the same content and are deleted for other content.
        const isSameContent = known?.contentHash === facts.contentHash;
        await tx.descriptorSet.deleteMany({
          where: isSameContent ? { ...others, modelId: staged.modelId } : others,
        });
        const seq = await takeChangeSeqs(tx, 1);
        await tx.descriptorSet.update({ where: { id: facts.setId }, data: { seq }, select: { id: true } });
      });
    },
  };
}

async function dropStaged(tx: Transaction, claim: EpisodeClaim): Promise<void> {
  await tx.descriptorSet.deleteMany({
    where: { episodeId: claim.episodeId, claimToken: claim.token, seq: null },
  });
}
