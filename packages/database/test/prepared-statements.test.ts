import { tmpdir } from "node:os";
import { connectDatabase } from "@koma/database";
import { expect, it } from "vitest";
import { makeEpisode } from "./make-episode.ts";
import { day, generateMatches, generateSearch, granted, makeSearch, makeUser, noon } from "./make-search.ts";
import { createTestDatabase } from "./testing/databases.ts";

it("the server runs the prepared statements of searches again on one connection", async () => {
  const { url: databaseUrl, remove } = await createTestDatabase();
  const database = await connectDatabase({ dataDir: tmpdir(), databaseUrl, poolSize: 1 });
  try {
    const episode = await makeEpisode(database);
    const user = await makeUser(database);
    for (const used of [1, 2, 3]) {
      const { callerHash } = await makeSearch(database, { matches: generateMatches(episode.animeId) });
      expect(await database.quota.guestUsage({ callerHash, day })).toEqual({ used: 1 });
      expect(await database.episodes.findMany([episode.id])).toEqual(
        await database.episodes.list({ ids: [episode.id] }),
      );
      const limits = { freeLimit: 3, hourlyLimit: 9, owner: "api", leaseSeconds: 60 };
      const reserved = { ...user, day, at: noon, ...limits };
      const result = granted(await database.quota.reserveUser(reserved));
      const search = generateSearch(user.callerHash, { inHistory: true });
      const reservation = { id: result.reservationId, owner: "api", userId: user.userId };
      expect(await database.searches.settle({ search, reservation, at: noon })).toBe(true);
      expect(await database.searches.settle({ search, reservation, at: noon })).toBe(true);
      expect(await database.quota.userUsage(reserved)).toMatchObject({ freeUsed: used, hourlyUsed: used });
      const late = { search: generateSearch(user.callerHash), reservation, at: noon };
      expect(await database.searches.settle(late)).toBe(false);
    }
  } finally {
    await database.close();
    await remove();
  }
});
