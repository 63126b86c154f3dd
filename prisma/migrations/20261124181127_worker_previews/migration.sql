-- AlterTable
ALTER TABLE "IndexWorker" ADD COLUMN     "previewAddress" TEXT,
ADD COLUMN     "folders" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- AlterTable
ALTER TABLE "QueuedVideo" ADD COLUMN     "progress" DOUBLE PRECISION;
