import { describe, expect, it } from "vitest";
import { coverDays, type DateRange } from "../src/rankings/ranking-window.ts";
import { generateMatches, generateMetadata, makeAnime, makeSearch, noon } from "./make-search.ts";
import { openTestDatabase } from "./open-test-database.ts";

const dayMs = 24 * 60 * 60 * 1000;
const daysAgo = (days: number) => new Date(noon.getTime() - days * dayMs);

describe("days of a period", () => {
  const listDays = ({ start, end }: DateRange) => {
    const days: string[] = [];
    for (let at = Date.parse(start); at < Date.parse(end); at += dayMs) {
      days.push(new Date(at).toISOString().slice(0, 10));
    }
    return days;
  };

  it("are covered once each by whole months and single days on every day", () => {
    for (let ago = 0; ago < 800; ago++) {
      for (const length of [1, 7, 30, 365]) {
        const at = daysAgo(ago);
        const { from, to, months, added, taken } = coverDays(length, at);
        const options = listDays({
          start: from,
          end: new Date(at.getTime() + dayMs).toISOString().slice(0, 10),
        });
        expect([options.length, options.at(-1)]).toEqual([length, to]);
        const takenDays = taken.flatMap(listDays);
        const covered = [...listDays(months), ...listDays(added)].filter((day) => !takenDays.includes(day));
        expect(covered.sort()).toEqual(options);
        expect(listDays(added).length).toBeLessThan(32);
      }
    }
  });
});

const { database, query } = await openTestDatabase();

async function makeAdult(): Promise<string> {
  const id = await makeAnime(database);
  await database.anime.applyMetadata(id, generateMetadata({ isAdult: true }));
  return id;
}

it("rank the scenes of 30 days by callers, without those for adults", async () => {
  const [often, once] = [await makeAnime(database, "Often"), await makeAnime(database, "Once")];
  const adult = await makeAdult();
  const confirm = async (animeId: string, days: number, caller?: string) => {
    const search = await makeSearch(database, {
      matches: generateMatches(animeId),
      at: daysAgo(days),
      inHistory: true,
      ...(caller !== undefined && { callerHash: caller }),
    });
    const by = { callerHash: search.callerHash };
    await database.searches.confirm({ id: search.id, rank: 1, by, at: daysAgo(days) });
    return search;
  };
  const first = await confirm(often, 3);
  const latest = await confirm(often, 2);
  await confirm(once, 1, "one caller");
  const repeated = await confirm(once, 0.5, "one caller");
  await confirm(adult, 1);
  await confirm(often, 31);
  const rank = async () => {
    const scenes = await database.searches.rankScenes({ limit: 50, at: noon });
    return scenes
      .filter(({ anime }) => [often, once, adult].includes(anime.id))
      .map(({ id, searches }) => [id, searches]);
  };
  expect(await rank()).toEqual([
    [latest.id, 2],
    [repeated.id, 1],
  ]);
  expect(await database.searches.rankScenes({ limit: 1, at: noon })).toHaveLength(1);
  await database.searches.removeFromHistory({ id: latest.id, callerHash: latest.callerHash });
  expect(await rank()).toContainEqual([first.id, 1]);
});

it("omit the recent searches of a deleted anime", async () => {
  const animeId = await makeAnime(database, "Gone");
  const { total } = await database.searches.listRecent({ limit: 1, offset: 0 });
  const { id, callerHash } = await makeSearch(database, { matches: generateMatches(animeId) });
  await database.searches.confirm({ id, rank: 1, by: { callerHash }, at: noon });
  expect((await database.searches.listRecent({ limit: 1, offset: 0 })).total).toBe(total + 1);
  await query(`UPDATE "Anime" SET "touchedAt" = now() - interval '2 hours' WHERE "id" = $1`, [animeId]);
  await database.collectGarbage({ at: noon });
  const after = await database.searches.listRecent({ limit: 100, offset: 0 });
  expect(after.total).toBe(total);
  expect(after.items.map((item) => item.id)).not.toContain(id);
  expect(await database.searches.unconfirm({ id, by: { callerHash }, at: noon })).toEqual({
    state: "unconfirmed",
  });
});
