import { randomUUID } from "node:crypto";
import { createCallerHashes } from "@koma/accounts";
import { Credits, SearchResult } from "@koma/contract";
import { dayAtNoon } from "@koma/testing";
import { afterEach, expect, test } from "vitest";
import { createTestClient, openTestLibrary, readImage } from "./fixtures/open-test-api.ts";
import { killProcesses, mainFile, startProcess } from "./fixtures/start-process.ts";

const secret = "a secret that all the processes know";
const hashes = createCallerHashes(secret);
const freeLimit = 4;
/** The lease of the API as it is started; it is not configurable. */
const leaseSeconds = 30;
/** More than a process needs to start. */
const extensionSeconds = 600;

const library = await openTestLibrary();
const { accounts } = await library.openApi({}, { secret });
afterEach(killProcesses);

async function start() {
  const api = startProcess(mainFile, {
    KOMA_DATA_DIR: library.dataDir,
    DATABASE_URL: library.databaseUrl,
    KOMA_SECRET: secret,
    KOMA_FREE_CREDITS_PER_DAY: String(freeLimit),
    KOMA_TIME_ZONE: dayAtNoon().zone,
    KOMA_REQUESTS_PER_MINUTE: "100000",
    LOG_LEVEL: "trace",
  });
  return { ...api, client: createTestClient(await api.ready) };
}
type Api = Awaited<ReturnType<typeof start>>;

/** Creates a user with credits and a key. */
async function makeUser(granted: number) {
  const { user } = await accounts.users.create({ email: `${randomUUID()}@site.example` });
  const { key } = await accounts.keys.create({ userId: user.id, title: "Test" });
  if (granted > 0) await library.database.credits.grant({ userId: user.id, amount: granted, reason: "test" });
  const headers = { authorization: `Bearer ${key}` };
  return { id: user.id, headers, granted, finished: new Set<string>(), broken: 0 };
}
type User = Awaited<ReturnType<typeof makeUser>>;

/** Searches concurrently until no credits are left. `onResponse` receives every success. */
async function search({ client }: Api, user: User, image: Blob, onResponse: () => void): Promise<number> {
  try {
    const response = await client.search({ image }, { headers: user.headers });
    if (response.status !== 200) {
      expect([402, 503]).toContain(response.status);
      return response.status;
    }
    user.finished.add(SearchResult.parse(response.body).id);
    onResponse();
    return 200;
  } catch (error) {
    // Only errors of a broken connection are expected.
    if (!(error instanceof TypeError)) throw error;
    user.broken += 1;
    return 0;
  }
}

const countHeld = async (user: User): Promise<number> => {
  const sql = `SELECT count(*)::int AS "held" FROM "QuotaReservation"
    WHERE "callerHash" = $1 AND "settledAt" IS NULL AND "expiresAt" > clock_timestamp()`;
  return Number((await library.query(sql, [hashes.user(user.id)]))[0]?.held);
};

/**
 * Compares responses, stored searches, charges and counts. `held` is the number of reservations of killed
 * processes.
 */
async function checkBooks({ client }: Api, user: User, held: number): Promise<void> {
  const { database } = library;
  const page = { page: 1, pageSize: 1000 };
  const { items: rows } = await database.searches.listHistory({
    callerHash: hashes.user(user.id),
    ...page,
  });
  const { items: entries } = await database.credits.listEntries({ userId: user.id, ...page });
  const balance = await database.credits.balance(user.id);
  const spends = entries.filter(({ kind }) => kind === "spend").length;
  expect(balance).toBeGreaterThanOrEqual(0);
  expect(entries.reduce((sum, { amount }) => sum + amount, 0)).toBe(balance);
  expect(balance).toBe(user.granted - spends);
  // Every acknowledged search is stored; further ones can only be those whose response was interrupted.
  for (const id of user.finished) {
    const again = await client.call(`/api/anime/searches/${id}`, { headers: user.headers });
    expect([id, again.status]).toEqual([id, 200]);
  }
  expect(rows.length).toBeGreaterThanOrEqual(user.finished.size);
  expect(rows.length).toBeLessThanOrEqual(user.finished.size + user.broken);
  expect(rows.length).toBeLessThanOrEqual(freeLimit + user.granted);
  // The remaining credits are those neither charged nor reserved.
  const credits = Credits.parse(
    (await client.call("/api/user/anime-credits", { headers: user.headers })).body,
  );
  expect(credits.remaining).toBe(freeLimit + user.granted - rows.length - held);
  if (held === 0) expect(credits.free.used + spends).toBe(rows.length);
}

test("an API that is killed stores every acknowledged search, charges no other search, and releases the other reservations", async () => {
  const image = await readImage("Alpha Show 2.jpg");
  const users = await Promise.all([6, 2, 0].map(makeUser));
  const extendLeases = (seconds: number) =>
    library.query(
      `UPDATE "QuotaReservation" SET "expiresAt" = "expiresAt" + make_interval(secs => $1)
       WHERE "settledAt" IS NULL AND "callerHash" = ANY($2)`,
      [seconds, users.map(({ id }) => hashes.user(id))],
    );
  let heldByDead = 0;
  const killed = await start();
  let responses = 0;
  const kill = () => {
    responses += 1;
    if (responses === 2) killed.child.kill("SIGKILL");
  };
  await Promise.all(
    users.flatMap((user) => Array.from({ length: 4 }, () => search(killed, user, image, kill))),
  );
  killed.child.kill("SIGKILL");
  expect(await killed.ended).toMatchObject({ signal: "SIGKILL" });
  await extendLeases(extensionSeconds);
  const next = await start();
  for (const user of users) {
    const held = await countHeld(user);
    heldByDead += held;
    await checkBooks(next, user, held);
  }
  await extendLeases(-extensionSeconds - leaseSeconds);
  for (const user of users) await checkBooks(next, user, 0);
  // The process was killed during searches.
  expect(heldByDead).toBeGreaterThan(0);
  expect(users.reduce((sum, { broken }) => sum + broken, 0)).toBeGreaterThan(0);

  // Exactly the remaining credits can be spent.
  for (const user of users) {
    for (let tries = 0; (await search(next, user, image, () => {})) !== 402; tries++)
      expect(tries).toBeLessThan(30);
    await checkBooks(next, user, 0);
    const { total } = await library.database.searches.listHistory({
      callerHash: hashes.user(user.id),
      page: 1,
      pageSize: 1,
    });
    expect(total).toBe(freeLimit + user.granted);
  }
}, 300_000);
