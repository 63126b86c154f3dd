-- The index of KOMA_INDEX=postgres. It needs pgvector, so it is applied when that index is first opened, and
-- backups omit it: its rows are derived from the published descriptors.

-- One row per indexed set of descriptors. The rows of an index go with the descriptors, and these with their
-- episode, in the same transaction.
CREATE TABLE "vectors"."Set" (
    "id" INTEGER GENERATED ALWAYS AS IDENTITY,
    "setId" TEXT NOT NULL,
    "episodeId" TEXT NOT NULL,
    "modelId" TEXT NOT NULL,
    "aspect" DOUBLE PRECISION NOT NULL,
    "frameCount" INTEGER NOT NULL,

    CONSTRAINT "Set_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "Set_setId_fkey" FOREIGN KEY ("setId") REFERENCES "DescriptorSet"("id") ON DELETE CASCADE
);
CREATE UNIQUE INDEX "Set_setId_key" ON "vectors"."Set"("setId");
CREATE INDEX "Set_episodeId_idx" ON "vectors"."Set"("episodeId");

-- Frames and regions of frames. `vector` has unit length and the order of the model's principal axes.
CREATE TABLE "vectors"."Frame" (
    "vector" halfvec(128) NOT NULL,
    "atSeconds" DOUBLE PRECISION NOT NULL,
    "fromSeconds" DOUBLE PRECISION NOT NULL,
    "toSeconds" DOUBLE PRECISION NOT NULL,
    "set" INTEGER NOT NULL,
    "number" INTEGER NOT NULL,
    "frame" INTEGER NOT NULL,
    "shot" INTEGER NOT NULL,
    "thumbnailAt" INTEGER NOT NULL,
    "chunk" SMALLINT NOT NULL,
    "nextAtSeconds" DOUBLE PRECISION,

    CONSTRAINT "Frame_pkey" PRIMARY KEY ("set", "number"),
    CONSTRAINT "Frame_set_fkey" FOREIGN KEY ("set") REFERENCES "vectors"."Set"("id") ON DELETE CASCADE
) PARTITION BY HASH ("set");
CREATE TABLE "vectors"."Region" (LIKE "vectors"."Frame") PARTITION BY HASH ("set");
ALTER TABLE "vectors"."Region" ADD CONSTRAINT "Region_pkey" PRIMARY KEY ("set", "number");
ALTER TABLE "vectors"."Region" ADD CONSTRAINT "Region_set_fkey"
    FOREIGN KEY ("set") REFERENCES "vectors"."Set"("id") ON DELETE CASCADE;

CREATE TABLE "vectors"."Frame_0" PARTITION OF "vectors"."Frame" FOR VALUES WITH (MODULUS 4, REMAINDER 0);
CREATE TABLE "vectors"."Frame_1" PARTITION OF "vectors"."Frame" FOR VALUES WITH (MODULUS 4, REMAINDER 1);
CREATE TABLE "vectors"."Frame_2" PARTITION OF "vectors"."Frame" FOR VALUES WITH (MODULUS 4, REMAINDER 2);
CREATE TABLE "vectors"."Frame_3" PARTITION OF "vectors"."Frame" FOR VALUES WITH (MODULUS 4, REMAINDER 3);
CREATE TABLE "vectors"."Region_0" PARTITION OF "vectors"."Region" FOR VALUES WITH (MODULUS 4, REMAINDER 0);
CREATE TABLE "vectors"."Region_1" PARTITION OF "vectors"."Region" FOR VALUES WITH (MODULUS 4, REMAINDER 1);
CREATE TABLE "vectors"."Region_2" PARTITION OF "vectors"."Region" FOR VALUES WITH (MODULUS 4, REMAINDER 2);
CREATE TABLE "vectors"."Region_3" PARTITION OF "vectors"."Region" FOR VALUES WITH (MODULUS 4, REMAINDER 3);

-- Creates the HNSW indexes where they are missing: a build from the beginning drops them before it adds rows.
CREATE FUNCTION "vectors"."createIndexes"() RETURNS VOID LANGUAGE plpgsql AS $body$
BEGIN
  IF to_regclass('"vectors"."Frame_vector_idx"') IS NULL THEN
    CREATE INDEX "Frame_vector_idx" ON "vectors"."Frame"
      USING hnsw ((subvector("vector", 1, 48)::halfvec(48)) halfvec_ip_ops) WITH (m = 6, ef_construction = 64);
  END IF;
  IF to_regclass('"vectors"."Region_vector_idx"') IS NULL THEN
    CREATE INDEX "Region_vector_idx" ON "vectors"."Region"
      USING hnsw ((subvector("vector", 1, 48)::halfvec(48)) halfvec_ip_ops) WITH (m = 6, ef_construction = 64);
  END IF;
END $body$;

-- One function for each table: the planner uses an index only for a table that it knows. The settings of a
-- function end with its call, so one statement without a transaction sets them.
DO $outer$
DECLARE
  name TEXT;
BEGIN
  FOREACH name IN ARRAY ARRAY['Frame', 'Region'] LOOP
    EXECUTE format($format$
-- Returns the `wanted` nearest rows of each query with the index of the query. The HNSW index finds `shortlist`
-- rows by the first 48 dimensions, and all dimensions order these. `episodes` limits the search; it is exact
-- where they have few frames.
CREATE FUNCTION "vectors"."findNearest%1$s"(
  queries halfvec[], wanted INTEGER, shortlist INTEGER, floor REAL, model TEXT, episodes TEXT[])
RETURNS TABLE (query INTEGER, cosine REAL, "set" INTEGER, "number" INTEGER)
LANGUAGE plpgsql STABLE
SET hnsw.ef_search = 100 SET hnsw.iterative_scan = relaxed_order SET hnsw.max_scan_tuples = 100000
SET plan_cache_mode = force_custom_plan SET enable_seqscan = off SET jit = off
AS $body$
#variable_conflict use_column
DECLARE
  chosen INTEGER[];
  frames BIGINT;
BEGIN
  PERFORM set_config('hnsw.ef_search', LEAST(1000, GREATEST(40, shortlist))::text, true);
  IF episodes IS NOT NULL THEN
    SELECT array_agg(s."id"), sum(s."frameCount") INTO chosen, frames
    FROM "vectors"."Set" s WHERE s."episodeId" = ANY(episodes) AND s."modelId" = model;
  END IF;
  IF (episodes IS NULL OR frames > 300000) AND to_regclass('"vectors"."%1$s_vector_idx"') IS NULL THEN
    RAISE EXCEPTION 'the index of frames is being built' USING ERRCODE = '57P03';
  END IF;
  IF episodes IS NULL THEN
    RETURN QUERY
      SELECT q.at::integer, n.cosine::real, n."set", n."number"
      FROM unnest(queries) WITH ORDINALITY AS q (vector, at)
      CROSS JOIN LATERAL (
        SELECT c."set", c."number", -(c."vector" <#> q.vector) AS cosine
        FROM (
          SELECT f."set", f."number", f."vector" FROM "vectors"."%1$s" f
          ORDER BY subvector(f."vector", 1, 48)::halfvec(48) <#> subvector(q.vector, 1, 48)::halfvec(48)
          LIMIT shortlist) c
        ORDER BY c."vector" <#> q.vector LIMIT wanted) n
      WHERE n.cosine >= floor;
    RETURN;
  END IF;
  IF frames <= 300000 THEN
    RETURN QUERY
      SELECT q.at::integer, n.cosine::real, n."set", n."number"
      FROM unnest(queries) WITH ORDINALITY AS q (vector, at)
      CROSS JOIN LATERAL (
        SELECT f."set", f."number", -(f."vector" <#> q.vector) AS cosine
        FROM "vectors"."%1$s" f WHERE f."set" = ANY(chosen)
        ORDER BY f."vector" <#> q.vector LIMIT wanted) n
      WHERE n.cosine >= floor;
  ELSE
    RETURN QUERY
      SELECT q.at::integer, n.cosine::real, n."set", n."number"
      FROM unnest(queries) WITH ORDINALITY AS q (vector, at)
      CROSS JOIN LATERAL (
        SELECT c."set", c."number", -(c."vector" <#> q.vector) AS cosine
        FROM (
          SELECT f."set", f."number", f."vector" FROM "vectors"."%1$s" f WHERE f."set" = ANY(chosen)
          ORDER BY subvector(f."vector", 1, 48)::halfvec(48) <#> subvector(q.vector, 1, 48)::halfvec(48)
          LIMIT shortlist) c
        ORDER BY c."vector" <#> q.vector LIMIT wanted) n
      WHERE n.cosine >= floor;
  END IF;
END $body$ $format$, name);
  END LOOP;
END $outer$;
