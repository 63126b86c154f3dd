import { type NewAuditEntry, recordAudit } from "../accounts/audit.ts";
import { runTransaction } from "../connection/run-transaction.ts";
import type { PrismaClient } from "../generated/client.ts";
import { type EpisodeLabel, type EpisodeWithAnime, toEpisodeWithAnime } from "./episode-row.ts";

export function createEpisodeLabels(prisma: PrismaClient) {
  return {
    /** Replaces the labels of an episode; detection keeps them. Undefined for an unknown episode. */
    async editLabels(
      id: string,
      labels: readonly EpisodeLabel[],
      audit?: NewAuditEntry,
    ): Promise<EpisodeWithAnime | undefined> {
      return await runTransaction(prisma, async (tx) => {
        const data = { labels: sort(labels), areLabelsEdited: true };
        if ((await tx.episode.updateMany({ where: { id }, data })).count === 0) return undefined;
        if (audit) await recordAudit(tx, audit);
        return toEpisodeWithAnime(
          await tx.episode.findUniqueOrThrow({ where: { id }, include: { anime: true } }),
        );
      });
    },

    /** Replaces the labels of an episode, except those that an operator set. */
    async saveDetectedLabels(id: string, labels: readonly EpisodeLabel[]): Promise<void> {
      await prisma.episode.updateMany({
        where: { id, areLabelsEdited: false },
        data: { labels: sort(labels) },
      });
    },
  };
}

function sort(labels: readonly EpisodeLabel[]): EpisodeLabel[] {
  return labels.map(({ label, from, to }) => ({ label, from, to })).sort((a, b) => a.from - b.from);
}
