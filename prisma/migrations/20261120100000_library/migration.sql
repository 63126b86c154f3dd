-- CreateEnum
CREATE TYPE "EpisodeState" AS ENUM ('pending', 'indexing', 'ready', 'failed');

-- CreateTable
CREATE TABLE "Anime" (
    "id" TEXT NOT NULL,
    "anilistId" INTEGER,
    "malId" INTEGER,
    "titleRomaji" TEXT,
    "titleEnglish" TEXT,
    "titleNative" TEXT,
    "synonyms" TEXT[],
    "format" TEXT,
    "year" INTEGER,
    "isAdult" BOOLEAN NOT NULL DEFAULT false,
    "coverUrl" TEXT,
    "isSample" BOOLEAN NOT NULL DEFAULT false,
    "searchText" TEXT NOT NULL,
    "metadataAt" TIMESTAMPTZ(3),
    "touchedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Anime_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AnimeKey" (
    "key" TEXT NOT NULL,
    "animeId" TEXT NOT NULL,

    CONSTRAINT "AnimeKey_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "Episode" (
    "id" TEXT NOT NULL,
    "animeId" TEXT NOT NULL,
    "season" INTEGER,
    "number" TEXT,
    "title" TEXT,
    "path" TEXT NOT NULL,
    "fileName" TEXT NOT NULL,
    "sizeBytes" BIGINT NOT NULL,
    "modifiedAtMs" BIGINT NOT NULL,
    "contentHash" TEXT,
    "state" "EpisodeState" NOT NULL DEFAULT 'pending',
    "problem" TEXT,
    "durationSeconds" DOUBLE PRECISION,
    "frameCount" INTEGER NOT NULL DEFAULT 0,
    "isSample" BOOLEAN NOT NULL DEFAULT false,
    "indexedAt" TIMESTAMPTZ(3),
    "claimToken" TEXT,
    "claimOwner" TEXT,
    "claimExpiresAt" TIMESTAMPTZ(3),

    CONSTRAINT "Episode_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "DescriptorSet" (
    "id" TEXT NOT NULL,
    "episodeId" TEXT NOT NULL,
    "modelId" TEXT NOT NULL,
    "claimToken" TEXT NOT NULL,
    "seq" BIGINT,
    "frameTable" BYTEA NOT NULL,
    "frameCount" INTEGER NOT NULL,
    "chunkCount" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "DescriptorSet_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "DescriptorChunk" (
    "setId" TEXT NOT NULL,
    "index" INTEGER NOT NULL,
    "bytes" BYTEA NOT NULL,

    CONSTRAINT "DescriptorChunk_pkey" PRIMARY KEY ("setId","index")
);

-- CreateTable
CREATE TABLE "LibraryState" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "seq" BIGINT NOT NULL DEFAULT 0,
    "oldestSeq" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "LibraryState_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "RemovedEpisode" (
    "seq" BIGINT NOT NULL,
    "episodeId" TEXT NOT NULL,
    "removedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "RemovedEpisode_pkey" PRIMARY KEY ("seq")
);

-- CreateTable
CREATE TABLE "Search" (
    "id" TEXT NOT NULL,
    "callerHash" TEXT NOT NULL,
    "isPublic" BOOLEAN NOT NULL,
    "confirmTokenHash" TEXT NOT NULL,
    "queryKind" TEXT NOT NULL,
    "matches" JSONB NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Search_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "QuotaReservation" (
    "id" TEXT NOT NULL,
    "callerHash" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "day" TEXT NOT NULL,
    "owner" TEXT NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "settledAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "QuotaReservation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "IdempotentAnswer" (
    "callerHash" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "requestHash" TEXT NOT NULL,
    "owner" TEXT NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "answer" JSONB,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "IdempotentAnswer_pkey" PRIMARY KEY ("callerHash","key")
);

-- CreateIndex
CREATE UNIQUE INDEX "Anime_anilistId_key" ON "Anime"("anilistId");

-- CreateIndex
CREATE INDEX "AnimeKey_animeId_idx" ON "AnimeKey"("animeId");

-- CreateIndex
CREATE UNIQUE INDEX "Episode_path_key" ON "Episode"("path");

-- CreateIndex
CREATE INDEX "Episode_animeId_idx" ON "Episode"("animeId");

-- CreateIndex
CREATE INDEX "Episode_contentHash_idx" ON "Episode"("contentHash");

-- CreateIndex
CREATE UNIQUE INDEX "DescriptorSet_seq_key" ON "DescriptorSet"("seq");

-- CreateIndex
CREATE INDEX "DescriptorSet_episodeId_idx" ON "DescriptorSet"("episodeId");

-- CreateIndex
CREATE INDEX "Search_createdAt_idx" ON "Search"("createdAt");

-- CreateIndex
CREATE INDEX "QuotaReservation_callerHash_day_idx" ON "QuotaReservation"("callerHash", "day");

-- CreateIndex
CREATE INDEX "QuotaReservation_createdAt_idx" ON "QuotaReservation"("createdAt");

-- CreateIndex
CREATE INDEX "IdempotentAnswer_createdAt_idx" ON "IdempotentAnswer"("createdAt");

-- AddForeignKey
ALTER TABLE "AnimeKey" ADD CONSTRAINT "AnimeKey_animeId_fkey" FOREIGN KEY ("animeId") REFERENCES "Anime"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Episode" ADD CONSTRAINT "Episode_animeId_fkey" FOREIGN KEY ("animeId") REFERENCES "Anime"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "DescriptorSet" ADD CONSTRAINT "DescriptorSet_episodeId_fkey" FOREIGN KEY ("episodeId") REFERENCES "Episode"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "DescriptorChunk" ADD CONSTRAINT "DescriptorChunk_setId_fkey" FOREIGN KEY ("setId") REFERENCES "DescriptorSet"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The one row that numbers library changes.
INSERT INTO "LibraryState" DEFAULT VALUES;

-- Descriptors do not compress; trying to costs time on every write.
ALTER TABLE "DescriptorChunk" ALTER COLUMN "bytes" SET STORAGE EXTERNAL;
