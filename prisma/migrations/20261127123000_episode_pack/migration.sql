-- The pack from which an episode was imported.
-- AlterTable
ALTER TABLE "Episode" ADD COLUMN     "packName" TEXT;
