import type { PrismaClient } from "./generated/client.ts";
import { type Sealed, toBytes } from "./sealed.ts";

/** An event of a platform, by a keyed HMAC of its number. */
export type RequestId = { platform: string; requestKey: string };

/** Where a request stands for whoever wants to answer it. */
export type RequestClaim =
  /** It is this owner's now. `before`: how far an earlier owner came that is gone. */
  | { state: "claimed"; before: "working" | "sending" | undefined }
  | { state: "answered" }
  /** Another owner works on it. */
  | { state: "busy" };

/** Which requests were answered, so that each gets one reply. */
export type BotRequestStore = ReturnType<typeof createBotRequests>;

export function createBotRequests(prisma: PrismaClient) {
  return {
    /** Takes a request unless it is answered or another's; `resume` tells how to answer it after a restart. */
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

    /** The owners are alive. */
    async renew(owners: readonly string[], leaseSeconds: number): Promise<void> {
      await prisma.$executeRaw`
        UPDATE "bots"."HandledRequest" SET "leaseUntil" = now() + make_interval(secs => ${leaseSeconds})
        WHERE "owner" = ANY(${[...owners]}::text[]) AND "state" <> 'answered'`;
    },

    /** The reply is about to be sent. False: the request is another's by now. */
    async markSending({ platform, requestKey }: RequestId, owner: string): Promise<boolean> {
      const where = { platform, requestKey, owner, state: { not: "answered" } };
      return (await prisma.handledRequest.updateMany({ where, data: { state: "sending" } })).count > 0;
    },

    /** The reply was sent; how to send one is forgotten. */
    async markDone({ platform, requestKey }: RequestId, owner: string): Promise<void> {
      const where = { platform, requestKey, owner };
      const data = { state: "answered", keyId: null, sealed: null };
      await prisma.handledRequest.updateMany({ where, data });
    },

    /** Gives it up, for whoever wants it next. */
    async release(owner: string): Promise<void> {
      await prisma.$executeRaw`
        UPDATE "bots"."HandledRequest" SET "leaseUntil" = now()
        WHERE "owner" = ${owner} AND "state" <> 'answered'`;
    },

    /** Those that nobody answered yet, oldest first; also those of owners who may be gone, whose leases still run. */
    async listOpen(
      platform: string,
    ): Promise<{ requestKey: string; resume: Sealed; state: "working" | "sending"; createdAt: Date }[]> {
      const rows = await prisma.$queryRaw<
        { requestKey: string; keyId: string; sealed: Uint8Array; state: string; createdAt: Date }[]
      >`
        SELECT "requestKey", "keyId", "sealed", "state", "createdAt" FROM "bots"."HandledRequest"
        WHERE "platform" = ${platform} AND "state" <> 'answered' AND "sealed" IS NOT NULL
        ORDER BY "createdAt", "requestKey" LIMIT 1000`;
      return rows.map(({ requestKey, keyId, sealed, state, createdAt }) => ({
        requestKey,
        resume: { keyId, sealed },
        state: toOpenState(state),
        createdAt,
      }));
    },

    /** Platforms send an event again for a day at most. */
    async collectGarbage(at: Date): Promise<void> {
      const before = new Date(at.getTime() - 25 * 3_600_000);
      await prisma.handledRequest.deleteMany({ where: { createdAt: { lt: before } } });
    },
  };
}

function toOpenState(state: string): "working" | "sending" {
  return state === "sending" ? "sending" : "working";
}
