-- CreateTable
CREATE TABLE "SearchTotal" (
    "day" DATE NOT NULL,
    "outcome" TEXT NOT NULL,
    "callerKind" TEXT NOT NULL,
    "shard" INTEGER NOT NULL,
    "searches" INTEGER NOT NULL,

    CONSTRAINT "SearchTotal_pkey" PRIMARY KEY ("day","outcome","callerKind","shard")
);
