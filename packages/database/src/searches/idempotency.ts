import { repeatConflicting } from "../connection/run-transaction.ts";
import { Prisma, type PrismaClient } from "../generated/client.ts";
import type { JsonValue } from "../json-value.ts";

/**
 * The state of an idempotency key: `new` (now acquired), `busy` (another request runs), or `done` with the
 * response.
 */
export type IdempotencyState =
  | { state: "new" }
  | { state: "busy" }
  | { state: "done"; requestHash: string; response: JsonValue };

/** The first responses by idempotency key, stored for 24 hours. */
export function createIdempotency(prisma: PrismaClient) {
  return {
    /**
     * Reads the state of a key and acquires a new one for `leaseSeconds`; an owner acquires its own again. An
     * owner must run one request per key at a time. `searches.settle` stores the response.
     */
    async begin(options: {
      callerHash: string;
      key: string;
      requestHash: string;
      owner: string;
      leaseSeconds: number;
    }): Promise<IdempotencyState> {
      const { callerHash, key, requestHash, owner, leaseSeconds } = options;
      // One statement determines the owner: it acquires a new key, one with an expired lease, and one that is
      // too old.
      const held = await repeatConflicting(
        () => prisma.$executeRaw`
          INSERT INTO "IdempotentAnswer" AS held ("callerHash", "key", "requestHash", "owner", "expiresAt")
          VALUES (${callerHash}, ${key}, ${requestHash}, ${owner}, clock_timestamp() + make_interval(secs => ${leaseSeconds}))
          ON CONFLICT ("callerHash", "key") DO UPDATE SET "requestHash" = excluded."requestHash",
            "owner" = excluded."owner", "expiresAt" = excluded."expiresAt", "answer" = NULL, "createdAt" = clock_timestamp()
          WHERE held."createdAt" < clock_timestamp() - interval '24 hours'
            OR (held."answer" IS NULL AND (held."expiresAt" < clock_timestamp() OR held."owner" = ${owner}))`,
      );
      if (held === 1) return { state: "new" };
      // A row that was deleted or acquired in the meantime has no response: the caller asks again.
      const row = await prisma.idempotentAnswer.findUnique({
        where: { callerHash_key: { callerHash, key } },
      });
      if (row === null || row.answer === null) return { state: "busy" };
      return { state: "done", requestHash: row.requestHash, response: row.answer };
    },

    /** Releases an acquired key without a response. */
    async release(held: { callerHash: string; key: string; owner: string }): Promise<void> {
      const { callerHash, key, owner } = held;
      await prisma.idempotentAnswer.deleteMany({
        where: { callerHash, key, owner, answer: { equals: Prisma.DbNull } },
      });
    },

    /** Deletes responses that are older than 24 hours. */
    async collectGarbage(): Promise<void> {
      await prisma.$executeRaw`
        DELETE FROM "IdempotentAnswer" WHERE "createdAt" < now() - interval '24 hours'`;
    },
  };
}
