-- Covers of anime. They are small, so they are in the embedded database too.
-- AlterTable
ALTER TABLE "Anime" ADD COLUMN     "coverVersion" TEXT,
ADD COLUMN     "studios" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- CreateTable
CREATE TABLE "AnimeCover" (
    "animeId" TEXT NOT NULL,
    "sourceUrl" TEXT NOT NULL,
    "bytes" BYTEA NOT NULL,

    CONSTRAINT "AnimeCover_pkey" PRIMARY KEY ("animeId")
);

-- AddForeignKey
ALTER TABLE "AnimeCover" ADD CONSTRAINT "AnimeCover_animeId_fkey" FOREIGN KEY ("animeId") REFERENCES "Anime"("id") ON DELETE CASCADE ON UPDATE CASCADE;
