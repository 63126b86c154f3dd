import type { Transaction } from "../connection/run-transaction.ts";
import { createId } from "../create-id.ts";
import { Prisma, type PrismaClient } from "../generated/client.ts";
import type { JsonObject } from "../json-value.ts";
import { listPage, type Page } from "../page.ts";
import { containsText, hasTitle } from "../text-filters.ts";

/** An action of an operator that is not stored yet. */
export type NewAuditEntry = {
  /** `user:` and the id of an operator, or `cli:` and the name of a system user. */
  actor: string;
  /** As `user.disable`. */
  action: string;
  /** What the action changes, as `user:` and an id. */
  target: string;
  details?: JsonObject | undefined;
};

/** A stored action of an operator. */
export type AuditEntry = NewAuditEntry & { id: string; createdAt: Date; details: JsonObject | undefined };

/** The log of operators' actions; entries are never changed or deleted. */
export function createAudit(prisma: PrismaClient) {
  return {
    /** Stores an action. */
    record: (entry: NewAuditEntry) => recordAudit(prisma, entry),

    /**
     * A page of actions, newest first; pages count from 1. `query` matches a part of an action, of a name or
     * mail address of a user who acted or was changed, or of a title of an anime.
     */
    async list(
      options: Page & { query?: string | undefined },
    ): Promise<{ total: number; items: AuditEntry[] }> {
      const where = options.query ? await matchEntries(prisma, options.query) : {};
      const { total, rows } = await listPage(prisma.auditEntry, options, where, (part) =>
        prisma.auditEntry.findMany({ ...part, orderBy: [{ createdAt: "desc" }, { id: "desc" }] }),
      );
      const items = rows.map(({ details, ...row }) => ({
        ...row,
        details: details === null ? undefined : (details as JsonObject),
      }));
      return { total, items };
    },
  };
}

async function matchEntries(prisma: PrismaClient, query: string): Promise<Prisma.AuditEntryWhereInput> {
  const contains = containsText(query);
  const [users, anime] = await Promise.all([
    prisma.user.findMany({
      where: { OR: [{ name: contains }, { email: contains }] },
      select: { id: true },
      take: longestMatch,
    }),
    prisma.anime.findMany({
      where: hasTitle(query),
      select: { id: true },
      take: longestMatch,
    }),
  ]);
  const userKeys = users.map(({ id }) => `user:${id}`);
  const targets = [...userKeys, ...anime.map(({ id }) => `anime:${id}`)];
  return { OR: [{ action: contains }, { actor: { in: userKeys } }, { target: { in: targets } }] };
}

/** Users and anime whose actions a query finds. */
const longestMatch = 1000;

/** Stores an action inside the transaction of the change. */
export async function recordAudit(tx: Transaction, entry: NewAuditEntry): Promise<void> {
  const { actor, action, target, details } = entry;
  await tx.auditEntry.create({
    data: { id: createId(), actor, action, target, details: details ?? Prisma.DbNull },
  });
}
