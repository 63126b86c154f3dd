import type { PersonId } from "./bot-accounts.ts";
import type { PrismaClient } from "./generated/client.ts";

/** Deletion of a chat user's data. */
export function createPeople(prisma: PrismaClient) {
  return {
    /**
     * Deletes the data of a chat user. Handled requests stay until they expire, because they do not identify
     * a user. Pending links stay too: their cancellation must also revoke a key that is approved in the
     * meantime.
     */
    async forget({ platform, personKey }: PersonId): Promise<void> {
      const where = { platform, personKey };
      await prisma.$transaction([
        prisma.linkedAccount.deleteMany({ where }),
        prisma.personSettings.deleteMany({ where }),
        prisma.keptResult.deleteMany({ where }),
        prisma.album.deleteMany({ where }),
        prisma.chatFind.deleteMany({ where }),
      ]);
    },
  };
}
