-- Searches that found nothing, grouped by the likeness of their images.
-- CreateTable
CREATE TABLE "MissingScene" (
    "id" TEXT NOT NULL,
    "modelId" TEXT NOT NULL,
    "descriptor" BYTEA NOT NULL,
    "searches" INTEGER NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'open',
    "upstream" JSONB,
    "firstAt" TIMESTAMPTZ(3) NOT NULL,
    "lastAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "MissingScene_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "MissingScene_lastAt_idx" ON "MissingScene"("lastAt");
