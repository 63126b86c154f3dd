-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "bots";

-- CreateTable
CREATE TABLE "bots"."Secret" (
    "name" TEXT NOT NULL,
    "keyId" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,

    CONSTRAINT "Secret_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "bots"."LinkedAccount" (
    "platform" TEXT NOT NULL,
    "personKey" TEXT NOT NULL,
    "keyId" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "linkedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "LinkedAccount_pkey" PRIMARY KEY ("platform","personKey")
);

-- CreateTable
CREATE TABLE "bots"."PendingLink" (
    "id" TEXT NOT NULL,
    "platform" TEXT NOT NULL,
    "personKey" TEXT NOT NULL,
    "keyId" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "intervalSeconds" INTEGER NOT NULL,
    "nextPollAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "PendingLink_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "bots"."PersonSettings" (
    "platform" TEXT NOT NULL,
    "personKey" TEXT NOT NULL,
    "settings" JSONB NOT NULL,

    CONSTRAINT "PersonSettings_pkey" PRIMARY KEY ("platform","personKey")
);

-- CreateTable
CREATE TABLE "bots"."PlaceSettings" (
    "platform" TEXT NOT NULL,
    "placeKey" TEXT NOT NULL,
    "settings" JSONB NOT NULL,

    CONSTRAINT "PlaceSettings_pkey" PRIMARY KEY ("platform","placeKey")
);

-- CreateTable
CREATE TABLE "bots"."KeptResult" (
    "id" TEXT NOT NULL,
    "platform" TEXT NOT NULL,
    "personKey" TEXT NOT NULL,
    "requestKey" TEXT NOT NULL,
    "pictureKey" TEXT,
    "fileKey" TEXT,
    "albumId" TEXT,
    "albumIndex" INTEGER,
    "keyId" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "page" INTEGER NOT NULL,
    "isOpened" BOOLEAN NOT NULL DEFAULT false,
    "confirmedRank" INTEGER,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "KeptResult_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "bots"."Album" (
    "id" TEXT NOT NULL,
    "platform" TEXT NOT NULL,
    "personKey" TEXT NOT NULL,
    "keyId" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Album_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "bots"."HandledRequest" (
    "platform" TEXT NOT NULL,
    "requestKey" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "owner" TEXT NOT NULL,
    "leaseUntil" TIMESTAMPTZ(3) NOT NULL,
    "keyId" TEXT,
    "sealed" BYTEA,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "HandledRequest_pkey" PRIMARY KEY ("platform","requestKey")
);

-- CreateTable
CREATE TABLE "bots"."Memory" (
    "platform" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "value" TEXT NOT NULL,

    CONSTRAINT "Memory_pkey" PRIMARY KEY ("platform","name")
);

-- CreateIndex
CREATE INDEX "PendingLink_platform_personKey_idx" ON "bots"."PendingLink"("platform", "personKey");

-- CreateIndex
CREATE INDEX "PendingLink_platform_nextPollAt_idx" ON "bots"."PendingLink"("platform", "nextPollAt");

-- CreateIndex
CREATE INDEX "KeptResult_platform_personKey_createdAt_idx" ON "bots"."KeptResult"("platform", "personKey", "createdAt" DESC);

-- CreateIndex
CREATE INDEX "KeptResult_platform_personKey_pictureKey_idx" ON "bots"."KeptResult"("platform", "personKey", "pictureKey");

-- CreateIndex
CREATE INDEX "KeptResult_platform_personKey_fileKey_idx" ON "bots"."KeptResult"("platform", "personKey", "fileKey");

-- CreateIndex
CREATE INDEX "KeptResult_albumId_albumIndex_idx" ON "bots"."KeptResult"("albumId", "albumIndex");

-- CreateIndex
CREATE INDEX "KeptResult_expiresAt_idx" ON "bots"."KeptResult"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "KeptResult_platform_requestKey_key" ON "bots"."KeptResult"("platform", "requestKey");

-- CreateIndex
CREATE INDEX "Album_platform_personKey_idx" ON "bots"."Album"("platform", "personKey");

-- CreateIndex
CREATE INDEX "Album_expiresAt_idx" ON "bots"."Album"("expiresAt");

-- CreateIndex
CREATE INDEX "HandledRequest_platform_state_idx" ON "bots"."HandledRequest"("platform", "state");

-- CreateIndex
CREATE INDEX "HandledRequest_createdAt_idx" ON "bots"."HandledRequest"("createdAt");

-- AddForeignKey
ALTER TABLE "bots"."KeptResult" ADD CONSTRAINT "KeptResult_albumId_fkey" FOREIGN KEY ("albumId") REFERENCES "bots"."Album"("id") ON DELETE CASCADE ON UPDATE CASCADE;
