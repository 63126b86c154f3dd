-- AlterTable
ALTER TABLE "Anime" ADD COLUMN     "editedFields" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- AlterTable
ALTER TABLE "Episode" ADD COLUMN     "isEdited" BOOLEAN NOT NULL DEFAULT false;
