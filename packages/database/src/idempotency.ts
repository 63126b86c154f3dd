import type { PrismaClient } from "./generated/client.ts";
import type { JsonValue } from "./searches.ts";

/** What stands under an idempotency key: nothing so far (`new`: it is now held), another request at work, or an answer. */
export type IdempotencyState =
  | { state: "new" }
  | { state: "busy" }
  | { state: "done"; requestHash: string; answer: JsonValue };

/** First answers by idempotency key, kept 24 hours. */
export type IdempotencyStore = ReturnType<typeof createIdempotency>;

export function createIdempotency(prisma: PrismaClient) {
  return {
    /** Looks a key up and holds it for `leaseSeconds` when it is new. `owner` must be unique to the request. */
    async begin(wanted: {
      callerHash: string;
      key: string;
      requestHash: string;
      owner: string;
      leaseSeconds: number;
    }): Promise<IdempotencyState> {
      throw new Error("not written");
    },

    /** Keeps the answer; false when the hold has expired. A search's answer is kept by `searches.settle`. */
    async finish(held: { callerHash: string; key: string; owner: string; answer: JsonValue }): Promise<boolean> {
      throw new Error("not written");
    },

    /** Lets a held key go without an answer. */
    async abandon(held: { callerHash: string; key: string; owner: string }): Promise<void> {
      throw new Error("not written");
    },

    /** Deletes answers older than 24 hours. */
    async collectGarbage(): Promise<void> {
      throw new Error("not written");
    },
  };
}
