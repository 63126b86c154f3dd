import type { PrismaClient } from "./generated/client.ts";

/** JSON as it is stored. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

/** One answered search. */
export type Search = {
  id: string;
  callerHash: string;
  isPublic: boolean;
  confirmTokenHash: string;
  queryKind: "file" | "url";
  matches: JsonValue;
  createdAt: Date;
};

/** The answered searches, and the one transaction that settles what an answer costs. */
export type SearchStore = ReturnType<typeof createSearches>;

export function createSearches(prisma: PrismaClient) {
  return {
    /**
     * In one transaction: the reservation is settled, the search stored, the idempotent answer kept. False when the
     * reservation or the hold on the idempotency key has expired or is another's: then nothing is written.
     * The same search settled again is true and changes nothing.
     */
    async settle(answered: {
      search: Omit<Search, "createdAt">;
      reservation: { id: string; owner: string };
      idempotency?: { key: string; owner: string; answer: JsonValue } | undefined;
    }): Promise<boolean> {
      throw new Error("not written");
    },

    async get(id: string): Promise<Search | undefined> {
      throw new Error("not written");
    },

    /** Deletes searches older than 24 hours. */
    async collectGarbage(): Promise<void> {
      throw new Error("not written");
    },
  };
}
