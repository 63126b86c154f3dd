-- CreateTable
CREATE TABLE "RankingWindow" (
    "period" TEXT NOT NULL,
    "firstDay" DATE NOT NULL,
    "lastDay" DATE NOT NULL,

    CONSTRAINT "RankingWindow_pkey" PRIMARY KEY ("lastDay","period")
);

-- CreateTable
CREATE TABLE "RankingCount" (
    "period" TEXT NOT NULL,
    "lastDay" DATE NOT NULL,
    "animeId" TEXT NOT NULL,
    "searches" INTEGER NOT NULL,

    CONSTRAINT "RankingCount_pkey" PRIMARY KEY ("lastDay","period","animeId")
);

-- CreateIndex
CREATE INDEX "RankingCount_lastDay_period_searches_idx" ON "RankingCount"("lastDay", "period", "searches" DESC);

-- What counts for a day counts in every ranking that has the day, whoever writes it. The lock keeps a ranking from being
-- prepared between what it has read and what this transaction will have written; writers do not exclude each other.
CREATE FUNCTION "keepRankings"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  LOCK TABLE "RankingWindow" IN ROW SHARE MODE;
  INSERT INTO "RankingCount" AS known ("lastDay", "period", "animeId", "searches")
  SELECT w."lastDay", w."period", c."animeId", sum(c."searches")
  FROM (
    VALUES (OLD."period", OLD."start", OLD."animeId", -OLD."searches"), (NEW."period", NEW."start", NEW."animeId", NEW."searches")
  ) c ("period", "start", "animeId", "searches")
  JOIN "RankingWindow" w ON c."start" BETWEEN w."firstDay" AND w."lastDay"
  WHERE c."period" = 'day'
  GROUP BY w."lastDay", w."period", c."animeId"
  ON CONFLICT ("lastDay", "period", "animeId") DO UPDATE SET "searches" = known."searches" + excluded."searches";
  RETURN NULL;
END $$;

CREATE TRIGGER "keepRankings" AFTER INSERT OR UPDATE OR DELETE ON "AnimeSearchCount"
  FOR EACH ROW EXECUTE FUNCTION "keepRankings"();
