-- A correction names an anime of the library and an episode, or is a text.
-- AlterTable
ALTER TABLE "Correction" ADD COLUMN     "animeId" TEXT,
ADD COLUMN     "number" TEXT,
ALTER COLUMN "text" DROP NOT NULL;
