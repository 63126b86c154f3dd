import pg from "pg";
import { expect, it } from "vitest";
import { generateMatches, makeAnime, makeSearch, noon } from "./make-search.ts";
import { openTestDatabase } from "./open-test-database.ts";

const dayMs = 24 * 60 * 60 * 1000;
const inDays = (days: number) => new Date(noon.getTime() + days * dayMs);

const { database, databaseUrl, query } = await openTestDatabase();

const list = async (at: Date, limit = 10) => {
  const { entries } = await database.rankings.list({
    period: "weekly",
    limit,
    includeAdult: false,
    at,
  });
  return entries.map(({ anime, searches }) => [anime.id, searches]);
};

const listDays = async () => {
  const rows = await query<{
    day: string;
    windows: number;
    counts: boolean;
  }>(`SELECT w."lastDay"::text AS "day", count(*)::int AS "windows", EXISTS (
      SELECT 1 FROM "RankingCount" c WHERE c."lastDay" = w."lastDay") AS "counts"
    FROM "RankingWindow" w GROUP BY 1, w."lastDay" ORDER BY 1`);
  return rows.map(({ day, windows, counts }) => `${day} ${windows} ${counts}`);
};

it("are those of the day and the previous day, and late in the evening of the next day", async () => {
  const animeId = await makeAnime(database);
  await makeSearch(database, { matches: generateMatches(animeId), at: noon });
  await database.rankings.collectGarbage({ at: noon });
  expect(await listDays()).toEqual(["2026-11-20 4 true"]);
  await database.rankings.collectGarbage({ at: new Date("2026-11-20T22:31:00Z") });
  expect(await listDays()).toEqual(["2026-11-20 4 true", "2026-11-21 4 true"]);
  await database.rankings.collectGarbage({ at: inDays(2) });
  expect(await listDays()).toEqual(["2026-11-21 4 true", "2026-11-22 4 true"]);
  await database.rankings.collectGarbage({ at: inDays(400) });
  expect(await listDays()).toEqual(["2027-12-25 4 false"]);
  expect(await list(noon)).toEqual([[animeId, 1]]);
});

it("omit a deleted anime", async () => {
  const at = inDays(3000);
  const [gone, remaining] = [await makeAnime(database), await makeAnime(database)];
  for (const animeId of [gone, gone, remaining]) {
    await makeSearch(database, { matches: generateMatches(animeId), at });
  }
  const first = async () => (await list(at, 1))[0];
  expect(await first()).toEqual([gone, 2]);
  await query(`UPDATE "Anime" SET "touchedAt" = now() - interval '2 hours' WHERE "id" = $1`, [gone]);
  await database.anime.collectGarbage();
  expect(await first()).toEqual([remaining, 1]);
});

it("include searches that were being counted during their preparation", async () => {
  const animeId = await makeAnime(database);
  await inTransaction(async (client) => {
    await client.query(
      `INSERT INTO "AnimeSearchCount" ("animeId", "period", "start", "searches") VALUES ($1, 'day', $2, 3)`,
      [animeId, inDays(1000)],
    );
    const listed = list(inDays(1000));
    await untilOneWaits();
    await client.query("COMMIT");
    expect(await listed).toEqual([[animeId, 3]]);
  });
  expect(await list(inDays(1000))).toEqual([[animeId, 3]]);
});

it("include searches that were counted during their preparation", async () => {
  const animeId = await makeAnime(database);
  const at = inDays(2000);
  await list(at);
  await inTransaction(async (client) => {
    await client.query(`LOCK TABLE "RankingWindow" IN EXCLUSIVE MODE`);
    await client.query(
      `INSERT INTO "RankingWindow" ("period", "firstDay", "lastDay") VALUES ('weekly', $1, $2)`,
      [at, inDays(2006)],
    );
    const created = makeSearch(database, { matches: generateMatches(animeId), at });
    await untilOneWaits();
    await client.query("COMMIT");
    await created;
  });
  expect([await list(at), await list(inDays(2006)), await list(inDays(2007))]).toEqual([
    ...[[[animeId, 1]], [[animeId, 1]], []],
  ]);
});

async function inTransaction(work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    await client.query("BEGIN");
    await work(client);
  } finally {
    await client.end();
  }
}

/** Waits until a transaction waits for the lock on the rankings. */
async function untilOneWaits(): Promise<void> {
  const isWaitedFor = `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = '"RankingWindow"'::regclass`;
  while ((await query(isWaitedFor)).length === 0);
}
