-- The stills of shots, on PostgreSQL. EXTERNAL storage: JPEGs do not compress, and a part is read without the rest.
CREATE TABLE "StillSet" (
    "episodeId" TEXT NOT NULL,
    "contentHash" TEXT NOT NULL,
    "bytes" BYTEA NOT NULL,

    CONSTRAINT "StillSet_pkey" PRIMARY KEY ("episodeId")
);
ALTER TABLE "StillSet" ALTER COLUMN "bytes" SET STORAGE EXTERNAL;
ALTER TABLE "StillSet" ADD CONSTRAINT "StillSet_episodeId_fkey" FOREIGN KEY ("episodeId") REFERENCES "Episode"("id") ON DELETE CASCADE ON UPDATE CASCADE;
