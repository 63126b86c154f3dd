import { randomUUID } from "node:crypto";
import { connectDatabase } from "@koma/database";
import { findFfmpeg, openLibrary } from "@koma/library";
import { afterAll, expect, test } from "vitest";
import { openCountedDatabase } from "./fixtures/database-proxy.ts";
import { nextGuest, openTestLibrary, readImage } from "./fixtures/open-test-api.ts";
import { makeKey, signUp } from "./fixtures/test-users.ts";

// The limits include settlement and the headers. The counts of requests are sent every half second for all
// requests together. An IPv6 guest has one statement more, which counts the wider networks in the same table.
const library = await openTestLibrary();
const { dataDir } = library;
const counted = await openCountedDatabase(library.databaseUrl);
// With one connection, no round trip opens another one.
const database = await connectDatabase({ dataDir, databaseUrl: counted.url, poolSize: 1 });
const own = await openLibrary({ database, dataDir, tools: findFfmpeg, engineWorkers: 1 });
const search = await own.openSearch({ follow: false });
// The last use of a key is stored once a second; here the time stands still.
const at = new Date();
const api = await library.openApi({}, { database, library: own, getSearch: () => search, now: () => at });
afterAll(async () => {
  await api.app.close();
  await search.close();
  await own.close();
  await database.close();
  counted.break();
});

/** The statements of the second of two searches by a caller. */
async function countSearch(headers: Record<string, string>, key?: string): Promise<string[]> {
  const form = { image: await readImage("Alpha Show 2.jpg") };
  const from = nextGuest();
  expect((await api.search(form, { headers, from })).status).toBe(200);
  counted.take();
  const keyed = key === undefined ? headers : { ...headers, "idempotency-key": key };
  const response = await api.search(form, { headers: keyed, from });
  const statements = counted.take().filter((statement) => !statement.includes('INTO "Attempt"'));
  expect(response.body).toMatchObject({ outcome: "found" });
  expect(response.headers.get("ratelimit")).toMatch(/;r=\d+;/);
  return statements.map((statement) => statement.replace(/\s+/g, " ").trim());
}

function expectAtMost(limit: number, statements: string[]): void {
  expect(statements.length, statements.join("\n")).toBeLessThanOrEqual(limit);
  // The proxy sees the statements.
  expect(statements.some((statement) => statement.includes('"settleSearch"'))).toBe(true);
}

test("a search costs 3 round trips to PostgreSQL of a guest, and 4 with an Idempotency-Key", async () => {
  expectAtMost(3, await countSearch({}));
  expectAtMost(4, await countSearch({}, randomUUID()));
});

test("a search costs 2 round trips of a failed one, and its headers show the quota without it", async () => {
  const from = nextGuest();
  const remaining = async (image: Blob) =>
    (await api.search({ image }, { from })).headers.get("ratelimit")?.match(/r=(\d+)/)?.[1];
  expect(await remaining(await readImage("Alpha Show 2.jpg"))).toBe("4");
  counted.take();
  expect(await remaining(new Blob(["no image"]))).toBe("4");
  const statements = counted.take().filter((statement) => !statement.includes('INTO "Attempt"'));
  expect(statements, statements.join("\n")).toHaveLength(2);
  expect(await remaining(await readImage("Alpha Show 2.jpg"))).toBe("3");
  const user = await signUp(api);
  const search = async (image: Blob) =>
    (await api.search({ image }, { headers: user.session })).headers.get("ratelimit");
  const before = await search(await readImage("Alpha Show 2.jpg"));
  expect(before).toMatch(/^"credits";r=9;t=\d+, "hourly";r=99;t=3600$/);
  expect(await search(new Blob(["no image"]))).toBe(before);
});

test("a search costs 4 round trips of a user by session and 5 by key, of a free and of a purchased credit", async () => {
  const user = await signUp(api);
  const { headers } = await makeKey(api, user);
  await library.database.credits.grant({ userId: user.id, amount: 20, reason: "a gift" });
  for (const expected of [20, 16]) {
    expectAtMost(4, await countSearch(user.session));
    expectAtMost(5, await countSearch(headers));
    expect(await library.database.credits.balance(user.id)).toBe(expected);
    // The rest of the ten free credits.
    for (let count = 0; expected === 20 && count < 3; count++) await countSearch(user.session);
  }
});
