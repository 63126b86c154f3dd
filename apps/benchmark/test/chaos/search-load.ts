import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { createCallerHashes, openAccounts } from "@koma/accounts";
import { parseConfiguration } from "@koma/config";
import { Problem, SearchResult } from "@koma/contract";
import type { Database } from "@koma/database";
import { expect } from "vitest";

const granted = 1_000_000;
const pauseMs = 200;
const timeoutMs = 20_000;
/** A request that has not succeeded so long after the last fault is lost. */
const patienceMs = 180_000;

export type SearchLoad = Awaited<ReturnType<typeof startSearches>>;

type Person = { id: string; hash: string; network: string; key: string; acknowledged: string[] };

/**
 * Searches continuously as this many users with accounts. A request is repeated with its `Idempotency-Key` until
 * the API acknowledges it.
 */
export async function startSearches(o: {
  url: string;
  database: Database;
  secret: string;
  images: readonly Uint8Array<ArrayBuffer>[];
  clients: number;
}) {
  const { url, database, secret, images } = o;
  const hashes = createCallerHashes(secret);
  const accounts = openAccounts({
    database,
    secret,
    trustedOrigins: [],
    configuration: parseConfiguration({}),
    log: () => {},
    baseUrl: () => url,
  });
  const people = await Promise.all(Array.from({ length: o.clients }, createPerson));
  const stopping = new AbortController();
  const responses = new Map<string, number>();
  const acknowledgedAt: number[] = [];
  const firstTryMs: number[] = [];
  const working = Promise.all(people.map(searchUntilStopped));

  async function createPerson(_: unknown, number: number): Promise<Person> {
    const { user } = await accounts.users.create({ email: `${randomUUID()}@site.example` });
    const { key } = await accounts.keys.create({ userId: user.id, title: "Test" });
    await database.credits.grant({ userId: user.id, amount: granted, reason: "test" });
    return { id: user.id, hash: hashes.user(user.id), network: `203.0.113.${number}`, key, acknowledged: [] };
  }

  async function searchUntilStopped(person: Person): Promise<void> {
    for (let turn = 0; !stopping.signal.aborted; turn++) {
      const image = images[turn % images.length];
      if (image === undefined) throw new Error("There are no images.");
      await searchUntilAcknowledged(person, image);
    }
  }

  async function searchUntilAcknowledged(person: Person, image: Uint8Array<ArrayBuffer>): Promise<void> {
    const idempotencyKey = randomUUID();
    const startedMs = performance.now();
    for (let attempt = 0; ; attempt++) {
      const outcome = await search(person, image, idempotencyKey);
      if (typeof outcome !== "string") {
        person.acknowledged.push(outcome.id);
        acknowledgedAt.push(performance.now());
        if (attempt === 0) firstTryMs.push(performance.now() - startedMs);
        return;
      }
      responses.set(outcome, (responses.get(outcome) ?? 0) + 1);
      if (performance.now() - startedMs > patienceMs) throw new Error(`A search still fails: ${outcome}`);
      await wait(pauseMs);
    }
  }

  /** Returns the search, or how the attempt failed. */
  async function search(person: Person, image: Uint8Array<ArrayBuffer>, idempotencyKey: string) {
    const body = new FormData();
    body.append("image", new Blob([image], { type: "image/jpeg" }), "image.jpg");
    try {
      const response = await fetch(`${url}/api/anime/search`, {
        method: "POST",
        body,
        headers: {
          authorization: `Bearer ${person.key}`,
          "idempotency-key": idempotencyKey,
          "x-forwarded-for": person.network,
        },
        signal: AbortSignal.timeout(timeoutMs),
      });
      const json: unknown = await response.json();
      if (response.status === 200) return SearchResult.parse(json);
      return `${response.status} ${Problem.parse(json).code}`;
    } catch (error) {
      if (error instanceof TypeError) return "no response";
      if (error instanceof DOMException) return `none in ${timeoutMs / 1000} s`;
      throw error;
    }
  }

  return {
    responses,
    count: () => acknowledgedAt.length,
    firstTryMs,
    /** Waits until a further search of every user is acknowledged, and returns the seconds until then. */
    async recover(): Promise<number> {
      const startedMs = performance.now();
      const before = people.map(({ acknowledged }) => acknowledged.length);
      const areServed = () => people.every(({ acknowledged }, n) => acknowledged.length > (before[n] ?? 0));
      const recovering = expect.poll(areServed, { timeout: patienceMs, interval: 50 }).toBe(true);
      await Promise.race([recovering, working]);
      return (performance.now() - startedMs) / 1000;
    },
    /** Waits until every request is acknowledged. */
    async stop(): Promise<void> {
      stopping.abort();
      await working;
    },
    /** Compares acknowledged searches, stored ones, charges and balances of every user. */
    async checkBooks(): Promise<void> {
      for (const { id, hash, acknowledged } of people) {
        const stored = await readAll((page) =>
          database.searches.listHistory({ callerHash: hash, page, pageSize: 1000 }),
        );
        expect(new Set(stored.map((search) => search.id))).toEqual(new Set(acknowledged));
        expect(stored).toHaveLength(acknowledged.length);
        const entries = await readAll((page) =>
          database.credits.listEntries({ userId: id, page, pageSize: 1000 }),
        );
        const balance = await database.credits.balance(id);
        expect(entries.reduce((sum, { amount }) => sum + amount, 0)).toBe(balance);
        expect(balance).toBe(granted - acknowledged.length);
      }
    },
  };
}

async function readAll<Item>(
  read: (page: number) => Promise<{ items: Item[]; total: number }>,
): Promise<Item[]> {
  const items: Item[] = [];
  for (let page = 1; ; page++) {
    const next = await read(page);
    items.push(...next.items);
    if (items.length >= next.total || next.items.length === 0) return items;
  }
}
