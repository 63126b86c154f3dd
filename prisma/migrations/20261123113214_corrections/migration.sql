-- CreateTable
CREATE TABLE "Correction" (
    "searchId" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "match" JSONB,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Correction_pkey" PRIMARY KEY ("searchId")
);

-- CreateIndex
CREATE INDEX "Correction_createdAt_searchId_idx" ON "Correction"("createdAt" DESC, "searchId");
