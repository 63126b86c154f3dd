-- Where an anime can be watched, from AniList.
-- AlterTable
ALTER TABLE "Anime" ADD COLUMN     "linkSites" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "linkUrls" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "linksAt" TIMESTAMPTZ(3);
