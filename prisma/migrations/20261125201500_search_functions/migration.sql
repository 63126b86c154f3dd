-- A search changes the database twice: it reserves its quota, and it settles. Each of these functions is one
-- statement of the client, which is one transaction and one round trip. They are VOLATILE and run at READ
-- COMMITTED, so each statement in them sees what was committed before it began: a count after the lock of a
-- caller includes the work of all earlier holders.

-- The searches of a guest on a day, settled or reserved.
CREATE FUNCTION "countGuestSearches"("ofCaller" text, "onDay" text) RETURNS integer LANGUAGE sql AS $$
  SELECT count(*)::integer FROM "QuotaReservation"
  WHERE "callerHash" = "ofCaller" AND "day" = "onDay"
    AND ("settledAt" IS NOT NULL OR "expiresAt" > clock_timestamp());
$$;

-- The usage of a user; reserved searches count as used. `held` are reserved credits, and `oldest` is the
-- search of the hour before `searchedAt` with whose end the hour falls below its limit, or the first one
-- below the limit. One statement counts a concurrently settled search exactly once. Reservations of an
-- instance whose clock is ahead count too.
CREATE FUNCTION "readUserUsage"(
  "ofCaller" text, "ofUser" text, "onDay" text, "searchedAt" timestamptz, "hourlyLimit" integer
) RETURNS TABLE (
  "freeUsed" integer, "held" integer, "balance" bigint, "hourlyUsed" integer, "oldest" timestamptz
) LANGUAGE sql AS $$
  WITH counted AS (
    SELECT "kind", "day", "at", "settledAt" FROM "QuotaReservation"
    WHERE "callerHash" = "ofCaller" AND ("settledAt" IS NOT NULL OR "expiresAt" > clock_timestamp())
  ), hour AS (SELECT "at" FROM counted WHERE "at" > "searchedAt" - interval '1 hour')
  SELECT
    (SELECT count(*)::integer FROM counted WHERE "kind" = 'free' AND "day" = "onDay"),
    (SELECT count(*)::integer FROM counted WHERE "kind" = 'purchased' AND "settledAt" IS NULL),
    coalesce((SELECT "purchased" FROM "CreditAccount" WHERE "userId" = "ofUser"), 0::bigint),
    (SELECT count(*)::integer FROM hour),
    (SELECT "at" FROM hour ORDER BY "at"
      OFFSET greatest((SELECT count(*) FROM hour) - "hourlyLimit", 0) LIMIT 1);
$$;

-- Reserves a search of a guest unless `searchLimit` are used. `used` includes it.
CREATE FUNCTION "reserveGuestSearch"(
  "reservationId" text, "ofCaller" text, "onDay" text, "searchedAt" timestamptz, "searchLimit" integer,
  "byOwner" text, "leaseSeconds" double precision
) RETURNS TABLE ("isReserved" boolean, "used" integer) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended("ofCaller", 0));
  "used" := "countGuestSearches"("ofCaller", "onDay");
  "isReserved" := "used" < "searchLimit";
  IF "isReserved" THEN
    INSERT INTO "QuotaReservation" ("id", "callerHash", "kind", "day", "at", "owner", "expiresAt")
    VALUES ("reservationId", "ofCaller", 'guest', "onDay", "searchedAt", "byOwner",
      clock_timestamp() + make_interval(secs => "leaseSeconds"));
    "used" := "used" + 1;
  END IF;
  RETURN NEXT;
END $$;

-- Reserves a search of a user: a free one of the day, otherwise a purchased one. `result` is its kind, or the
-- limit that refused it: 'hourly' before 'credits'. The usage includes it.
CREATE FUNCTION "reserveUserSearch"(
  "reservationId" text, "ofCaller" text, "ofUser" text, "onDay" text, "searchedAt" timestamptz,
  "freeLimit" integer, "hourlyLimit" integer, "byOwner" text, "leaseSeconds" double precision
) RETURNS TABLE (
  "result" text, "freeUsed" integer, "held" integer, "balance" bigint, "hourlyUsed" integer,
  "oldest" timestamptz
) LANGUAGE plpgsql AS $$
DECLARE
  usage record;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended("ofCaller", 0));
  SELECT * INTO usage FROM "readUserUsage"("ofCaller", "ofUser", "onDay", "searchedAt", "hourlyLimit");
  "result" := CASE
    WHEN usage."hourlyUsed" >= "hourlyLimit" THEN 'hourly'
    WHEN usage."freeUsed" < "freeLimit" THEN 'free'
    WHEN usage."balance" > usage."held" THEN 'purchased'
    ELSE 'credits'
  END;
  IF "result" IN ('free', 'purchased') THEN
    INSERT INTO "QuotaReservation" ("id", "callerHash", "kind", "day", "at", "owner", "expiresAt")
    VALUES ("reservationId", "ofCaller", "result", "onDay", "searchedAt", "byOwner",
      clock_timestamp() + make_interval(secs => "leaseSeconds"));
    SELECT * INTO usage FROM "readUserUsage"("ofCaller", "ofUser", "onDay", "searchedAt", "hourlyLimit");
  END IF;
  RETURN QUERY
    SELECT "result", usage."freeUsed", usage."held", usage."balance", usage."hourlyUsed", usage."oldest";
END $$;

-- Locks anime against merging and deletion until the transaction ends, in the order of their ids. Returns
-- their current ids; a deleted anime has none.
CREATE FUNCTION "lockAnime"("ids" text[]) RETURNS TABLE ("previous" text, "current" text)
LANGUAGE plpgsql AS $$
DECLARE
  missing text[] := "ids";
BEGIN
  LOOP
    FOR "previous", "current" IN
      SELECT asked."id", a."id" FROM unnest(missing) asked("id")
      LEFT JOIN "AnimeKey" k ON k."key" = 'merged:' || asked."id"
      JOIN "Anime" a ON a."id" = coalesce(k."animeId", asked."id")
      ORDER BY a."id" FOR KEY SHARE OF a
    LOOP
      missing := array_remove(missing, "previous");
      RETURN NEXT;
    END LOOP;
    EXIT WHEN missing = '{}';
    -- A missing anime was deleted, or merged while this transaction waited for its lock; then it has another
    -- id.
    missing := ARRAY(
      SELECT asked."id" FROM unnest(missing) asked("id")
      LEFT JOIN "AnimeKey" k ON k."key" = 'merged:' || asked."id"
      JOIN "Anime" a ON a."id" = coalesce(k."animeId", asked."id"));
    EXIT WHEN missing = '{}';
  END LOOP;
END $$;

-- Changes the counts of an anime that the transaction has locked: its searches of a UTC day, and its listed
-- recent searches.
CREATE FUNCTION "changeAnimeCounts"(
  "ofAnime" text, "onDay" date, "addedSearches" integer, "addedListed" integer
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "AnimeStatistics" AS known ("animeId", "searches", "listed")
  VALUES ("ofAnime", greatest("addedSearches", 0), greatest("addedListed", 0))
  ON CONFLICT ("animeId") DO UPDATE SET
    "searches" = known."searches" + "addedSearches", "listed" = known."listed" + "addedListed";
  IF "addedSearches" <> 0 THEN
    INSERT INTO "AnimeSearchCount" AS known ("animeId", "period", "start", "searches")
    VALUES ("ofAnime", 'day', "onDay", greatest("addedSearches", 0)),
      ("ofAnime", 'month', date_trunc('month', "onDay")::date, greatest("addedSearches", 0))
    ON CONFLICT ("period", "start", "animeId") DO UPDATE SET "searches" = known."searches" + "addedSearches";
  END IF;
END $$;

-- Counts a search in one of eight rows of its total. With commits of 20 ms, 16 concurrent settlements reached
-- 31 per second with one row, 79 with eight rows and 88 without totals. The lock on the row is the last one
-- that a transaction takes.
CREATE FUNCTION "countSearch"("onDay" date, "withOutcome" text, "byKind" text) RETURNS void LANGUAGE sql AS $$
  INSERT INTO "SearchTotal" AS known ("day", "outcome", "callerKind", "shard", "searches")
  VALUES ("onDay", "withOutcome", "byKind", floor(random() * 8)::integer, 1)
  ON CONFLICT ("day", "outcome", "callerKind", "shard") DO UPDATE SET "searches" = known."searches" + 1;
$$;

-- Settles a reservation, spends the credit of a purchased one, and stores and counts the search and the
-- response under its idempotency key, if it has one. Raises KM001, which undoes all of it, when the
-- reservation or the key has expired or belongs to another owner, and when no credit is left. A second call
-- with the same search changes nothing. `countedAnimeId` of the search can be the earlier id of a merged
-- anime.
CREATE FUNCTION "settleSearch"(
  search "Search", "byKind" text, "reservationId" text, "reservationOwner" text, "payerId" text,
  "entryId" text, "responseKey" text, "responseOwner" text, "response" jsonb
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  kind text;
  anime text;
BEGIN
  -- Without the lock, a count could omit an expiring reservation that is settled a moment later.
  PERFORM pg_advisory_xact_lock(hashtextextended(search."callerHash", 0));
  UPDATE "QuotaReservation" r SET "settledAt" = clock_timestamp()
  WHERE r."id" = "reservationId" AND r."owner" = "reservationOwner" AND r."callerHash" = search."callerHash"
    AND r."settledAt" IS NULL AND r."expiresAt" > clock_timestamp()
  RETURNING r."kind" INTO kind;
  IF NOT FOUND THEN
    PERFORM FROM "Search" s WHERE s."id" = search."id" AND s."callerHash" = search."callerHash";
    IF FOUND THEN
      RETURN;
    END IF;
    RAISE EXCEPTION 'The lease of the reservation has expired.' USING ERRCODE = 'KM001';
  END IF;

  IF kind = 'purchased' THEN
    IF "payerId" IS NULL THEN
      RAISE EXCEPTION 'A purchased search needs the id of its user.';
    END IF;
    UPDATE "CreditAccount" SET "purchased" = "purchased" - 1 WHERE "userId" = "payerId" AND "purchased" >= 1;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'No credit is left.' USING ERRCODE = 'KM001';
    END IF;
    INSERT INTO "CreditEntry" ("id", "userId", "amount", "kind") VALUES ("entryId", "payerId", -1, 'spend');
  END IF;

  IF "responseKey" IS NOT NULL THEN
    UPDATE "IdempotentAnswer" SET "answer" = "response"
    WHERE "callerHash" = search."callerHash" AND "key" = "responseKey" AND "owner" = "responseOwner"
      AND "answer" IS NULL AND "expiresAt" > clock_timestamp();
    IF NOT FOUND THEN
      RAISE EXCEPTION 'The lease of the idempotency key has expired.' USING ERRCODE = 'KM001';
    END IF;
  END IF;

  IF search."countedAnimeId" IS NOT NULL THEN
    SELECT locked."current" INTO anime FROM "lockAnime"(ARRAY[search."countedAnimeId"]) locked;
  END IF;
  INSERT INTO "Search" ("id", "callerHash", "inHistory", "isPublic", "confirmTokenHash", "queryKind",
    "outcome", "matches", "frameCount", "tookMs", "countedAnimeId", "countedDay", "createdAt")
  VALUES (search."id", search."callerHash", search."inHistory", search."isPublic", search."confirmTokenHash",
    search."queryKind", search."outcome", search."matches", search."frameCount", search."tookMs", anime,
    search."countedDay", search."createdAt");
  -- The last statements, because concurrent searches wait for these row locks.
  IF anime IS NOT NULL THEN
    PERFORM "changeAnimeCounts"(anime, search."countedDay", 1, 0);
  END IF;
  PERFORM "countSearch"(search."countedDay", search."outcome", "byKind");
END $$;
