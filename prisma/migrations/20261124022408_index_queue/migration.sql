-- CreateTable
CREATE TABLE "QueuedVideo" (
    "id" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "sizeBytes" BIGINT NOT NULL,
    "modifiedAtMs" BIGINT NOT NULL,
    "options" JSONB NOT NULL,
    "priority" INTEGER NOT NULL DEFAULT 0,
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "problem" TEXT,
    "nextAttemptAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revision" INTEGER NOT NULL DEFAULT 0,
    "queuedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "claimToken" TEXT,
    "claimWorkerId" TEXT,
    "claimExpiresAt" TIMESTAMPTZ(3),

    CONSTRAINT "QueuedVideo_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "IndexQueue" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "isPaused" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "IndexQueue_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "IndexWorker" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "startedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lastSeenAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "videosDone" INTEGER NOT NULL DEFAULT 0,
    "failures" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "IndexWorker_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "QueuedVideo_path_key" ON "QueuedVideo"("path");

-- CreateIndex
CREATE INDEX "QueuedVideo_state_priority_queuedAt_idx" ON "QueuedVideo"("state", "priority" DESC, "queuedAt");
