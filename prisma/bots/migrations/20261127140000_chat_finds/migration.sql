-- CreateTable
CREATE TABLE "bots"."ChatFind" (
    "platform" TEXT NOT NULL,
    "placeKey" TEXT NOT NULL,
    "resultId" TEXT NOT NULL,
    "personKey" TEXT NOT NULL,
    "animeId" TEXT NOT NULL,
    "foundAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ChatFind_pkey" PRIMARY KEY ("platform","placeKey","resultId")
);

-- CreateIndex
CREATE INDEX "ChatFind_platform_personKey_idx" ON "bots"."ChatFind"("platform", "personKey");

-- CreateIndex
CREATE INDEX "ChatFind_foundAt_idx" ON "bots"."ChatFind"("foundAt");
