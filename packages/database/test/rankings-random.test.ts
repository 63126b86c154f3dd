import type { Database, JsonValue, MakerProof, RankingPeriod } from "@koma/database";
import { createRandom } from "@koma/testing/drawing";
import { expect, it } from "vitest";
import { daysOf } from "../src/rankings/prepared-rankings.ts";
import { findDefaultAnimeId, toMatches } from "../src/searches/search-row.ts";
import { generateMatches, generateMetadata, makeAnime, makeSearch, noon } from "./make-search.ts";
import { openTestDatabase } from "./open-test-database.ts";

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
const periods: RankingPeriod[] = ["daily", "weekly", "monthly", "yearly", "all"];
const titles = ["Zeta", "alpha", "Alpha", "beta", "Beta", "gamma", "delta", "Delta", "eta", "theta"];

/** The data of the searches of the table, stored after their deletion. */
type Known = { day: string; animeId: string | null };

const seed = 1;

const { database, connectAgain, query } = await openTestDatabase();

it("equal a full recount, over days, on two instances", async () => {
  const instances = [database, await connectAgain()];
  const random = createRandom(seed);
  const { chance } = random;
  const below = (count: number) => random.whole(0, count - 1);
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[below(items.length)];
    if (item === undefined) throw new Error("There is no element to choose.");
    return item;
  };
  const before = await readDeadlocks();
  const anime = new Set<string>();
  for (const title of titles) anime.add(await makeAnime(database, title));
  const known = new Map<string, Known>();
  const created: { id: string; by: MakerProof }[] = [];
  let merges = 0;

  const act = async (instance: Database, at: Date) => {
    const kind = below(10);
    if (kind < 4) {
      const matches = generateMatches(pick([...anime]), pick([...anime]));
      const [first, ...rest] = matches.map((match) => ({ ...match, isConfident: chance(0.8) }));
      if (first === undefined) throw new Error("No match was generated.");
      const { id, callerHash } = await makeSearch(instance, {
        matches: [first, ...rest],
        inHistory: true,
        at,
      });
      created.push({ id, by: { callerHash } });
    } else if (kind < 8 && created.length > 0) {
      const options = { ...pick(created.slice(-30)), at };
      if (chance(0.2)) await instance.searches.unconfirm(options);
      else await instance.searches.confirm({ ...options, rank: below(3) });
    } else if (kind === 8) {
      await instance.rankings.list({ period: pick(periods), limit: 5, includeAdult: true, at });
    } else {
      await instance.rankings.collectGarbage({ at });
    }
  };

  const change = async (instance: Database, at: Date) => {
    const id = pick([...anime]);
    const write = (options: string, anilistId: number) =>
      instance.anime.applyMetadata(
        options,
        generateMetadata({ anilistId, titleRomaji: pick(titles), isAdult: chance(0.2) }),
      );
    if (chance(0.5)) {
      const anilistId = seed * 1000 + merges++;
      await write(pick([...anime]), anilistId);
      await write(id, anilistId);
    } else if (chance(0.2)) {
      await query(`UPDATE "Anime" SET "touchedAt" = now() - interval '2 hours' WHERE "id" = $1`, [id]);
      await instance.collectGarbage({ at });
    } else anime.add(await makeAnime(instance, pick(titles)));
  };

  let today = noon.getTime();
  for (const days of [0, 0, 1, 1, 2, 1, 5, 1, 1, 22, 1, 6, 1, 330, 1, 1]) {
    today += days * dayMs;
    // The clocks of the instances differ by hours, so they change the day at different times.
    const work = Array.from({ length: 14 }, async (_, index) => {
      const at = new Date(today + (below(40) - 20) * hourMs);
      if (index === 0) await change(pick(instances), at);
      else await act(pick(instances), at);
    });
    await Promise.all(work);
    await remember(known);
    for (const ago of [0, 1, -1]) {
      for (const period of periods) {
        const options = {
          period,
          limit: 1 + below(12),
          includeAdult: chance(0.5),
          at: new Date(today - ago * dayMs),
        };
        const { entries } = await pick(instances).rankings.list(options);
        const seen = entries.map(({ rank, anime: { id }, searches }) => ({ rank, id, searches }));
        expect(seen).toEqual(await countFromScratch(known, options));
      }
    }
  }
  expect(known.size).toBeGreaterThan(50);
  expect(await readDeadlocks()).toBe(before);
});

/**
 * Reads the anime that the searches count for from their rows: the confirmed match, else a confident first
 * match.
 */
async function remember(known: Map<string, Known>): Promise<void> {
  const rows = await query<{ id: string; matches: JsonValue; confirmedRank: number | null; day: string }>(
    `SELECT "id", "matches", "confirmedRank", "countedDay"::text AS "day" FROM "Search"`,
  );
  for (const { id, matches: stored, confirmedRank, day } of rows) {
    const matches = toMatches(stored);
    const confirmed = matches.find(({ rank }) => rank === confirmedRank)?.animeId ?? null;
    known.set(id, { day, animeId: confirmedRank === null ? findDefaultAnimeId(matches) : confirmed });
  }
}

async function countFromScratch(
  known: ReadonlyMap<string, Known>,
  { period, limit, includeAdult, at }: Parameters<Database["rankings"]["list"]>[0],
) {
  const inPeriod = [...known.values()].filter(({ day }) => {
    const age = Math.floor(at.getTime() / dayMs) - Date.parse(day) / dayMs;
    return period === "all" || (age >= 0 && age < daysOf[period]);
  });
  const ids = inPeriod.flatMap(({ animeId }) => animeId ?? []);
  const namesNow = await database.anime.resolve([...new Set(ids)]);
  const counts = new Map<string, { id: string; title: string; searches: number }>();
  for (const id of ids) {
    const anime = namesNow.get(id);
    if (anime === undefined || (anime.isAdult && !includeAdult)) continue;
    const searches = (counts.get(anime.id)?.searches ?? 0) + 1;
    counts.set(anime.id, { id: anime.id, title: (anime.titleRomaji ?? "").toLowerCase(), searches });
  }
  const sorted = [...counts.values()].sort(
    (a, b) => b.searches - a.searches || compare(a.title, b.title) || compare(a.id, b.id),
  );
  return sorted.slice(0, limit).map(({ id, searches }) => ({
    rank: 1 + sorted.filter((each) => each.searches > searches).length,
    id,
    searches,
  }));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

async function readDeadlocks(): Promise<string | undefined> {
  const [row] = await query<{ deadlocks: string }>(
    "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()",
  );
  return row?.deadlocks;
}
