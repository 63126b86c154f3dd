-- Null for searches of earlier versions, whose outcome was not stored.
ALTER TABLE "Search" ADD COLUMN "outcome" TEXT;
