import { expect, it } from "vitest";
import {
  generateMatches,
  generateMetadata,
  makeAnime,
  makeSearch,
  minutesLater,
  noon,
} from "./make-search.ts";
import { openTestDatabase } from "./open-test-database.ts";

const { database, connectAgain, query } = await openTestDatabase();
const other = await connectAgain();

// Returns the counted searches and the recent ones among them; day, month and all time must agree.
async function count(animeId: string) {
  const [row] = await query<{ day: number; month: number; all: number; listed: number }>(
    `SELECT coalesce((SELECT sum("searches") FROM "AnimeSearchCount" WHERE "animeId" = $1 AND "period" = 'day'), 0)::int AS "day",
      coalesce((SELECT sum("searches") FROM "AnimeSearchCount" WHERE "animeId" = $1 AND "period" = 'month'), 0)::int AS "month",
      coalesce((SELECT "searches" FROM "AnimeStatistics" WHERE "animeId" = $1), 0) AS "all",
      coalesce((SELECT "listed" FROM "AnimeStatistics" WHERE "animeId" = $1), 0) AS "listed"`,
    [animeId],
  );
  if (row === undefined) throw new Error("The count returned no row.");
  expect([row.day, row.month]).toEqual([row.all, row.all]);
  return [row.all, row.listed];
}

it("move the count of a search, and back", async () => {
  const [a, b] = [await makeAnime(database), await makeAnime(database)];
  const { id, callerHash } = await makeSearch(database, { matches: generateMatches(a, b, b) });
  const by = { callerHash };
  expect([await count(a), await count(b)]).toEqual([
    [1, 0],
    [0, 0],
  ]);
  const steps = [
    { rank: 2, a: [0, 0], b: [1, 1] },
    { rank: 3, a: [0, 0], b: [1, 1] },
    { rank: 1, a: [1, 1], b: [0, 0] },
    { rank: 1, a: [1, 1], b: [0, 0] },
    { rank: 0, a: [0, 0], b: [0, 0] },
    { rank: 2, a: [0, 0], b: [1, 1] },
  ];
  for (const [index, step] of steps.entries()) {
    const at = minutesLater(index);
    const result = await database.searches.confirm({ id, rank: step.rank, by, at });
    const confirmedAt = index === 3 ? minutesLater(2) : at;
    expect(result).toEqual({ state: "confirmed", confirmedAt });
    expect([await count(a), await count(b)]).toEqual([step.a, step.b]);
  }
  for (let twice = 0; twice < 2; twice++) {
    expect(await database.searches.unconfirm({ id, by, at: noon })).toEqual({ state: "unconfirmed" });
    expect([await count(a), await count(b)]).toEqual([
      [1, 0],
      [0, 0],
    ]);
  }
});

it("count whether the confident first match was right, per week", async () => {
  const a = await makeAnime(database);
  const matches = generateMatches(a, a);
  const read = () => database.searches.listConfidence({ from: noon });
  const [before = { right: 0, wrong: 0 }] = await read();
  const search = await makeSearch(database, { matches });
  const doubtful = await makeSearch(database, { matches, outcome: "uncertain" });
  const steps = [
    { rank: 1, counted: [1, 0] },
    { rank: 1, counted: [1, 0] },
    { rank: 2, counted: [0, 1] },
    { rank: 0, counted: [0, 1] },
    { rank: undefined, counted: [0, 0] },
    { rank: 0, counted: [0, 1] },
  ];
  for (const { rank, counted } of steps) {
    for (const { id, callerHash } of [search, doubtful]) {
      const by = { callerHash };
      if (rank === undefined) await database.searches.unconfirm({ id, by, at: noon });
      else await database.searches.confirm({ id, rank, by, at: noon });
    }
    const [week = { firstDay: "2026-11-16", right: 0, wrong: 0 }] = await read();
    expect(week.firstDay).toBe("2026-11-16");
    expect([week.right - before.right, week.wrong - before.wrong]).toEqual(counted);
  }
  expect(await database.searches.listConfidence({ from: new Date("2026-11-23T00:00:00Z") })).toEqual([]);
});

it("count private searches, but do not list them", async () => {
  const [a, b] = [await makeAnime(database), await makeAnime(database)];
  const matches = generateMatches(a, b);
  const { id, callerHash } = await makeSearch(database, { matches, isPublic: false });
  await database.searches.confirm({ id, rank: 2, by: { callerHash }, at: noon });
  expect([await count(a), await count(b)]).toEqual([
    [0, 0],
    [1, 0],
  ]);
  const { items } = await database.searches.listRecent({ limit: 100, offset: 0 });
  expect(items.map((item) => item.id)).not.toContain(id);
});

it("count nothing without a confident first match until one is confirmed", async () => {
  const animeId = await makeAnime(database);
  const matches = [{ rank: 1, animeId, isConfident: false }];
  const { id, callerHash } = await makeSearch(database, { matches });
  expect(await count(animeId)).toEqual([0, 0]);
  await database.searches.confirm({ id, rank: 1, by: { callerHash }, at: noon });
  expect(await count(animeId)).toEqual([1, 1]);
  await database.searches.unconfirm({ id, by: { callerHash }, at: noon });
  expect(await count(animeId)).toEqual([0, 0]);
});

it("do not deadlock when many run concurrently across two anime in both directions", async () => {
  const [a, b] = [await makeAnime(database), await makeAnime(database)];
  const searches = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      makeSearch(database, { matches: index % 2 === 0 ? generateMatches(a, b) : generateMatches(b, a) }),
    ),
  );
  const before = await readDeadlocks();
  const last = await Promise.all(
    searches.map(async ({ id, callerHash }, index) => {
      const by = { callerHash };
      const ranks = [2, 1, 2, 0, 1 + (index % 3 === 0 ? 1 : 0)];
      for (const rank of ranks) {
        const each = rank === 1 ? other : database;
        const result = await each.searches.confirm({ id, rank, by, at: noon });
        expect(result.state).toBe("confirmed");
      }
      return index % 2 === (index % 3 === 0 ? 1 : 0) ? a : b;
    }),
  );
  const ofA = last.filter((animeId) => animeId === a).length;
  expect([await count(a), await count(b)]).toEqual([
    [ofA, ofA],
    [10 - ofA, 10 - ofA],
  ]);
  expect(await readDeadlocks()).toBe(before);
});

async function readDeadlocks() {
  const [row] = await query<{ deadlocks: string }>(
    "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()",
  );
  return row?.deadlocks;
}

it("move with the anime when two are merged", async () => {
  const [old, remaining] = [await makeAnime(database), await makeAnime(database)];
  const make = async (...animeIds: string[]) =>
    await makeSearch(database, { matches: generateMatches(...animeIds) });
  const [first, second, third] = [await make(old), await make(old, remaining), await make(remaining)];
  for (const { id, callerHash } of [first, third]) {
    await database.searches.confirm({ id, rank: 1, by: { callerHash }, at: noon });
  }
  const metadata = generateMetadata({ anilistId: 424242 });
  for (const id of [remaining, old]) await database.anime.applyMetadata(id, metadata);
  expect(await count(remaining)).toEqual([3, 2]);
  const { items } = await database.searches.listRecent({ limit: 100, offset: 0 });
  expect(
    items
      .filter(({ anime }) => anime.id === remaining)
      .map(({ id }) => id)
      .sort(),
  ).toEqual([first.id, third.id].sort());
  const resolved = await database.anime.resolve([old, remaining, "unknown"]);
  expect([...resolved].map(([id, anime]) => [id, anime.id])).toEqual([
    [old, remaining],
    [remaining, remaining],
  ]);
  const by = { callerHash: second.callerHash };
  await database.searches.confirm({ id: second.id, rank: 1, by, at: noon });
  expect(await count(remaining)).toEqual([3, 3]);
  await database.searches.confirm({ id: second.id, rank: 0, by, at: noon });
  expect(await count(remaining)).toEqual([2, 2]);
});

it("count for the merged anime after repeated merges and with different clocks", async () => {
  const [a, b, c] = [await makeAnime(database), await makeAnime(database), await makeAnime(database)];
  const longAgo = new Date("2020-01-01T12:00:00.000Z");
  const make = async () => {
    const { id, callerHash } = await makeSearch(database, { matches: generateMatches(a), at: longAgo });
    return { id, by: { callerHash }, at: longAgo };
  };
  const merge = async (id: string, remainingId: string, anilistId: number) => {
    const metadata = generateMetadata({ anilistId });
    await database.anime.applyMetadata(remainingId, metadata);
    expect((await database.anime.applyMetadata(id, metadata))?.id).toBe(remainingId);
  };
  const [early, between] = [await make(), await make()];
  await merge(a, b, 515151);
  await database.searches.confirm({ ...between, rank: 1 });
  expect(await count(b)).toEqual([2, 1]);
  await merge(b, c, 525252);
  expect(await count(c)).toEqual([2, 1]);
  await database.searches.confirm({ ...early, rank: 1 });
  expect(await count(c)).toEqual([2, 2]);
  await database.searches.confirm({ ...early, rank: 0 });
  expect(await count(c)).toEqual([1, 1]);
  await database.searches.unconfirm(between);
  expect(await count(c)).toEqual([1, 0]);
  await database.searches.confirm({ ...between, rank: 0 });
  expect(await count(c)).toEqual([0, 0]);
});
