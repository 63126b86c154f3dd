CREATE TABLE "ConfidenceTotal" (
    "day" DATE NOT NULL,
    "right" INTEGER NOT NULL DEFAULT 0,
    "wrong" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "ConfidenceTotal_pkey" PRIMARY KEY ("day")
);

-- The confirmed searches that are stored; those of guests are for a day.
INSERT INTO "ConfidenceTotal" ("day", "right", "wrong")
SELECT ("createdAt" AT TIME ZONE 'UTC')::date, count(*) FILTER (WHERE "confirmedRank" = 1),
  count(*) FILTER (WHERE "confirmedRank" <> 1)
FROM "Search" WHERE "outcome" = 'found' AND "confirmedRank" IS NOT NULL GROUP BY 1;
