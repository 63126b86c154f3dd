// Fills a migrated, empty database with generated anime, searches of the last two years, and their counts.

const days = 730;
const adultEvery = 40;
const batch = 500_000;

/**
 * Loads `searches` rows for `anime` works, with many more of the popular ones. Three in ten are confirmed,
 * four in five public.
 */
export async function loadSearches(client, { searches, anime, onProgress }) {
  await client.query(
    `INSERT INTO "Anime" ("id", "titleRomaji", "searchText", "isAdult", "synonyms")
    SELECT 'anime-' || i, 'Title ' || md5(i::text), 'title ' || md5(i::text), i % $2 = 0, '{}' FROM generate_series(1, $1) i`,
    [anime, adultEvery],
  );
  // An interrupted load is deleted with its database. Building indexes once at the end is cheaper.
  await client.query(`ALTER TABLE "Search" SET UNLOGGED`);
  const { rows: indexes } = await client.query(
    `SELECT indexname AS "name", indexdef AS "sql" FROM pg_indexes WHERE tablename = 'Search' AND indexname LIKE '%idx'`,
  );
  for (const { name } of indexes) await client.query(`DROP INDEX "${name}"`);
  for (let done = 0; done < searches; done += batch) {
    const size = Math.min(batch, searches - done);
    await client.query(insertSearches, [done, done + size, searches, anime]);
    onProgress(`${done + size} searches`);
  }
  for (const { sql } of indexes) await client.query(sql);
  onProgress("indexes");
  // No ranking is prepared that the trigger must update, and the anime exist.
  const key = "AnimeSearchCount_animeId_fkey";
  const { rows: keys } = await client.query(
    `SELECT pg_get_constraintdef(oid) AS "sql" FROM pg_constraint WHERE conname = '${key}'`,
  );
  await client.query(
    `ALTER TABLE "AnimeSearchCount" DISABLE TRIGGER "keepRankings", DROP CONSTRAINT "${key}"`,
  );
  for (const sql of countSearches) await client.query(sql);
  await client.query(
    `ALTER TABLE "AnimeSearchCount" ENABLE TRIGGER "keepRankings", ADD CONSTRAINT "${key}" ${keys[0].sql}`,
  );
  onProgress("counts");
  await client.query("VACUUM ANALYZE");
  // Imitates confirmations of the newest rows since the last vacuum: without a visibility map and with old
  // row versions.
  await client.query(
    `UPDATE "Search" SET "confirmedAt" = "confirmedAt" + interval '1 millisecond'
    WHERE "listedAnimeId" IS NOT NULL AND "confirmedAt" > now() - interval '7 days'`,
  );
  onProgress("statistics");
}

// The form in which the API stores them.
const scene = `'{ "episode": { "id": "lantern-road-03", "season": null, "number": "3", "title": null }, "durationSeconds": 1435.2,
  "timestamp": 754.25, "from": 752, "to": 756.5, "isMirrored": false, "region": null, "recurring": null }'`;

// Rows are in the order of their time, as with single inserts. Those of guests are anonymised after a day.
const insertSearches = `
  INSERT INTO "Search" ("id", "callerHash", "inHistory", "isPublic", "queryKind", "matches", "frameCount", "tookMs",
    "confirmedRank", "confirmedAt", "listedAnimeId", "countedAnimeId", "countedDay", "anonymisedAt", "createdAt")
  SELECT translate(encode(uuid_send(gen_random_uuid()), 'base64'), '+/=', '-_'),
    CASE WHEN kept THEN md5((i::bigint * 7919 % 200000)::text) END, i % 2 = 0 AND kept, public, 'file',
    jsonb_build_array(
      scene || jsonb_build_object('rank', 1, 'animeId', first, 'isConfident', true, 'similarity', 0.973),
      scene || jsonb_build_object('rank', 2, 'animeId', second, 'isConfident', false, 'similarity', 0.31)),
    1000000, 80, CASE WHEN confirmed THEN 1 END, CASE WHEN confirmed THEN at + interval '10 minutes' * random() END,
    CASE WHEN confirmed AND public THEN first END, first, (at AT TIME ZONE 'UTC')::date,
    CASE WHEN NOT kept THEN at END, at
  FROM (
    SELECT *, age < CASE WHEN i % 2 = 0 THEN 90 ELSE 1 END AS kept FROM (
    SELECT i, 'anime-' || (1 + floor($4::int * power(random(), 2)))::int AS first,
      'anime-' || (1 + floor($4::int * random()))::int AS second,
      random() < 0.3 AS confirmed, random() < 0.8 AS public, ${days} * (1 - i / $3::float8) AS age,
      clock_timestamp() - interval '11 minutes' - ${days} * (1 - i / $3::float8) * interval '1 day' AS at
    FROM generate_series($1::int + 1, $2::int) i) invented) aged, jsonb(${scene}) scene`;

const countSearches = [
  `INSERT INTO "AnimeSearchCount" ("animeId", "period", "start", "searches")
    SELECT "countedAnimeId", 'day', "countedDay", count(*) FROM "Search" GROUP BY 1, 3`,
  `INSERT INTO "AnimeSearchCount" ("animeId", "period", "start", "searches")
    SELECT "animeId", 'month', date_trunc('month', "start")::date, sum("searches") FROM "AnimeSearchCount" GROUP BY 1, 3`,
  `INSERT INTO "AnimeStatistics" ("animeId", "searches", "listed")
    SELECT "countedAnimeId", count(*), count("listedAnimeId") FROM "Search" GROUP BY 1`,
];
