import type { PrismaClient } from "./generated/client.ts";
import { type Sealed, toBytes } from "./sealed.ts";

/** An event of a platform, identified by a keyed HMAC of its id. */
export type RequestId = { platform: string; requestKey: string };

/** The result of claiming a request. */
export type RequestClaim =
  /** This owner holds it now. `before`: the state in which an earlier owner with an expired lease left it. */
  | { state: "claimed"; before: "working" | "sending" | undefined }
  | { state: "answered" }
  /** Another owner holds its lease. */
  | { state: "busy" };

/** The state of the bots' requests; each request gets one reply. */
export function createBotRequests(prisma: PrismaClient) {
  return {
    /**
     * Claims a request unless it has a reply or another owner holds it; `resume` has the data for a reply
     * after a restart.
     */
    async claim(
      { platform, requestKey }: RequestId,
      { owner, leaseSeconds, resume }: { owner: string; leaseSeconds: number; resume: Sealed },
    ): Promise<RequestClaim> {
      const created = await prisma.$executeRaw`
        INSERT INTO "bots"."HandledRequest"
          ("platform", "requestKey", "state", "owner", "leaseUntil", "keyId", "sealed", "createdAt")
        VALUES (${platform}, ${requestKey}, 'working', ${owner}, now() + make_interval(secs => ${leaseSeconds}),
          ${resume.keyId}, ${toBytes(resume.sealed)}, now())
        ON CONFLICT ("platform", "requestKey") DO NOTHING`;
      if (created > 0) return { state: "claimed", before: undefined };
      const taken = await prisma.$queryRaw<{ state: string }[]>`
        UPDATE "bots"."HandledRequest"
        SET "owner" = ${owner}, "leaseUntil" = now() + make_interval(secs => ${leaseSeconds})
        WHERE "platform" = ${platform} AND "requestKey" = ${requestKey} AND "state" <> 'answered'
          AND ("leaseUntil" <= now() OR "owner" = ${owner})
        RETURNING "state"`;
      const [row] = taken;
      if (row !== undefined) return { state: "claimed", before: toOpenState(row.state) };
      const where = { platform_requestKey: { platform, requestKey } };
      const found = await prisma.handledRequest.findUnique({ where });
      return { state: found?.state === "answered" ? "answered" : "busy" };
    },

    /** Renews the leases of these owners. */
    async renew(owners: readonly string[], leaseSeconds: number): Promise<void> {
      await prisma.$executeRaw`
        UPDATE "bots"."HandledRequest" SET "leaseUntil" = now() + make_interval(secs => ${leaseSeconds})
        WHERE "owner" = ANY(${[...owners]}::text[]) AND "state" <> 'answered'`;
    },

    /** Marks that the reply is about to be sent. False when another owner holds the request. */
    async markSending({ platform, requestKey }: RequestId, owner: string): Promise<boolean> {
      const where = { platform, requestKey, owner, state: { not: "answered" } };
      return (await prisma.handledRequest.updateMany({ where, data: { state: "sending" } })).count > 0;
    },

    /** Marks that the reply was sent, and deletes the data for resuming. */
    async markDone({ platform, requestKey }: RequestId, owner: string): Promise<void> {
      const where = { platform, requestKey, owner };
      const data = { state: "answered", keyId: null, sealed: null };
      await prisma.handledRequest.updateMany({ where, data });
    },

    /** Releases the lease, so that another owner can claim the request. */
    async release(owner: string): Promise<void> {
      // The column has milliseconds: the time of now() can be rounded up, and would not have passed yet.
      await prisma.$executeRaw`
        UPDATE "bots"."HandledRequest" SET "leaseUntil" = now() - interval '1 millisecond'
        WHERE "owner" = ${owner} AND "state" <> 'answered'`;
    },

    /**
     * The requests without a reply, oldest first, including those with a valid lease; with `isExpired` those
     * without one.
     */
    async listOpen(
      platform: string,
      { isExpired = false } = {},
    ): Promise<{ requestKey: string; resume: Sealed; state: "working" | "sending"; createdAt: Date }[]> {
      const rows = await prisma.$queryRaw<
        { requestKey: string; keyId: string; sealed: Uint8Array; state: string; createdAt: Date }[]
      >`
        SELECT "requestKey", "keyId", "sealed", "state", "createdAt" FROM "bots"."HandledRequest"
        WHERE "platform" = ${platform} AND "state" IN ('working', 'sending') AND "sealed" IS NOT NULL
          AND (NOT ${isExpired} OR "leaseUntil" <= now())
        ORDER BY "createdAt", "requestKey" LIMIT 1000`;
      return rows.map(({ requestKey, keyId, sealed, state, createdAt }) => ({
        requestKey,
        resume: { keyId, sealed },
        state: toOpenState(state),
        createdAt,
      }));
    },

    /** Deletes requests after 25 hours; platforms repeat an event for at most one day. */
    async collectGarbage(at: Date): Promise<void> {
      const before = new Date(at.getTime() - 25 * 3_600_000);
      await prisma.handledRequest.deleteMany({ where: { createdAt: { lt: before } } });
    },
  };
}

function toOpenState(state: string): "working" | "sending" {
  return state === "sending" ? "sending" : "working";
}
