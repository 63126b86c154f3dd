import { createId } from "../create-id.ts";
import type { PrismaClient } from "../generated/client.ts";
import { listPage, type Page } from "../page.ts";

/** An event of the sign-in. */
export type SecurityEvent = {
  createdAt: Date;
  /** As `sign_in_failed`. */
  event: string;
  /** Keyed hash of the account's address; null where none is known. */
  account: string | null;
  /** Keyed hash of the client network. */
  network: string;
};

/** The log of sign-ins and failures. */
export function createSecurityEvents(prisma: PrismaClient) {
  return {
    async record(entry: Omit<SecurityEvent, "createdAt">): Promise<void> {
      await prisma.securityEvent.create({ data: { id: createId(), ...entry } });
    },

    /** A page of events, of one account or of all, newest first; pages count from 1. */
    async list(
      options: Page & { account?: string | undefined },
    ): Promise<{ total: number; items: SecurityEvent[] }> {
      const where = options.account === undefined ? {} : { account: options.account };
      const { total, rows } = await listPage(prisma.securityEvent, options, where, (part) =>
        prisma.securityEvent.findMany({ ...part, orderBy: [{ createdAt: "desc" }, { id: "desc" }] }),
      );
      return { total, items: rows.map(({ id: _, ...event }) => event) };
    },

    /** Deletes events of more than 90 days. */
    async collectGarbage(): Promise<void> {
      const oldest = new Date(Date.now() - retentionMs);
      await prisma.securityEvent.deleteMany({ where: { createdAt: { lt: oldest } } });
    },
  };
}

const retentionMs = 90 * 24 * 60 * 60 * 1000;
