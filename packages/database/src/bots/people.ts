import type { PersonId } from "./bot-accounts.ts";
import type { PrismaClient } from "./generated/client.ts";

/** All that is kept of a person. */
export type BotPeopleStore = ReturnType<typeof createPeople>;

export function createPeople(prisma: PrismaClient) {
  return {
    /**
     * Deletes everything of a person. Requests that were answered stay until they expire: nothing in them tells of whom.
     * So do links that wait: whoever calls them off has to end what is approved nevertheless.
     */
    async forget({ platform, personKey }: PersonId): Promise<void> {
      const where = { platform, personKey };
      await prisma.$transaction([
        prisma.linkedAccount.deleteMany({ where }),
        prisma.personSettings.deleteMany({ where }),
        prisma.keptResult.deleteMany({ where }),
        prisma.album.deleteMany({ where }),
      ]);
    },

    /** Nothing to do. */
    async collectGarbage(_at: Date): Promise<void> {},
  };
}
