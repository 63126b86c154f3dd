-- The named parts of an episode, as its opening.
-- AlterTable
ALTER TABLE "Episode" ADD COLUMN     "areLabelsEdited" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "labels" JSONB NOT NULL DEFAULT '[]';
