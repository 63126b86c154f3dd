import type pg from "pg";
import { migrate } from "../connection/migrate.ts";
import { vectorMigrationsFolder } from "../connection/migration-folders.ts";
import type { Replicas } from "../connection/open-replicas.ts";
import { IndexUnavailableError } from "../errors.ts";
import type { StoredDescriptors } from "../library/descriptors.ts";
import { writeHalves } from "./halves.ts";
import {
  episode,
  type PackedRow,
  type PackedRows,
  packPairs,
  packRows,
  pairsOf,
  recordOf,
  thumbnailBytes,
  vectorDimensions,
} from "./packed-rows.ts";
import { preparePgvector } from "./pgvector.ts";

/** Rows that the index of few dimensions finds for a search of `count` ones. */
const shortlistOf = (count: number) => 128 + 2 * count;
/** Few, because a statement is formatted in one turn of the event loop. */
const rowsPerStatement = 200;
const tables = { frames: "Frame", regions: "Region" } as const;

type Kind = keyof typeof tables;

/** A row of the index: a frame of an episode, or a region of a frame. */
type IndexedFrame = {
  number: number;
  frame: number;
  shot: number;
  chunk: number;
  thumbnailAt: number;
  atSeconds: number;
  nextAtSeconds: number | null;
  fromSeconds: number;
  toSeconds: number;
  vector: Float32Array;
};

/**
 * The rows of one episode. The thumbnail of a row and the strips of the shots, in order of time, are at a byte
 * of a chunk of the descriptors.
 */
export type IndexedEpisodeRows = {
  aspect: number;
  frameCount: number;
  rows: Record<Kind, IndexedFrame[]>;
  strips: { shot: number; chunk: number; at: number; length: number }[];
};

/** Published descriptors that the index does not contain. */
export type UnindexedSet = { setId: string; episodeId: string };

/**
 * Opens the index of frames in PostgreSQL, and creates its tables when they are missing. Throws
 * IndexUnavailableError and MigrationError. Searches read from the replicas, everything else uses the primary.
 */
export async function openFrameIndexStore(
  pool: pg.Pool,
  replicas: Pick<Replicas, "read">,
  model: { id: string; dimensions: number },
  onLog: (message: string) => void,
) {
  if (model.dimensions !== vectorDimensions) {
    throw new IndexUnavailableError(
      `The index in PostgreSQL has vectors of ${vectorDimensions} dimensions, and the model ${model.id} of ${model.dimensions}.`,
    );
  }
  const { isDefective } = await preparePgvector(pool, onLog);
  const halfvecId = await readHalfvecId(pool);
  const applied = await migrate(pool, vectorMigrationsFolder, "vectors");
  if (applied.length > 0) onLog(`Created the tables of the index: ${applied.join(", ")}.`);
  await createIndexes();

  /** A build that was interrupted leaves none. */
  async function createIndexes(): Promise<void> {
    await inTransaction(pool, async (client) => {
      await client.query("SET LOCAL statement_timeout = 0");
      // Two processes that find an index missing would both create it.
      await client.query("SELECT pg_advisory_xact_lock(hashtextextended('koma:frame indexes', 0))");
      if (isDefective) await client.query("SET LOCAL max_parallel_maintenance_workers = 0");
      await client.query(`SELECT "vectors"."createIndexes"()`);
    });
  }

  async function insert(client: pg.PoolClient, id: number, episode: IndexedEpisodeRows) {
    const { aspect, frameCount, rows, strips } = episode;
    for (const kind of ["frames", "regions"] as const) {
      for (let from = 0; from < rows[kind].length; from += rowsPerStatement) {
        const some = rows[kind].slice(from, from + rowsPerStatement);
        await client.query(
          `INSERT INTO "vectors"."${tables[kind]}" ("set", "number", "frame", "shot", "chunk", "thumbnailAt",
             "atSeconds", "nextAtSeconds", "fromSeconds", "toSeconds", "vector")
           SELECT $1, * FROM unnest($2::int[], $3::int[], $4::int[], $5::smallint[], $6::int[],
             $7::float8[], $8::float8[], $9::float8[], $10::float8[], $11::halfvec[])`,
          [
            id,
            some.map((row) => row.number),
            some.map((row) => row.frame),
            some.map((row) => row.shot),
            some.map((row) => row.chunk),
            some.map((row) => row.thumbnailAt),
            some.map((row) => row.atSeconds),
            some.map((row) => row.nextAtSeconds),
            some.map((row) => row.fromSeconds),
            some.map((row) => row.toSeconds),
            writeHalves(
              some.map((row) => row.vector),
              halfvecId,
            ),
          ],
        );
      }
    }
    await client.query(
      `INSERT INTO "vectors"."Strip" ("set", "number", "shot", "chunk", "at", "length")
       SELECT $1, "number" - 1, "shot", "chunk", "at", "length"
       FROM unnest($2::int[], $3::smallint[], $4::int[], $5::int[])
         WITH ORDINALITY AS s ("shot", "chunk", "at", "length", "number")`,
      [
        id,
        strips.map(({ shot }) => shot),
        strips.map(({ chunk }) => chunk),
        strips.map(({ at }) => at),
        strips.map(({ length }) => length),
      ],
    );
    await client.query(`UPDATE "vectors"."Set" SET "aspect" = $2, "frameCount" = $3 WHERE "id" = $1`, [
      id,
      aspect,
      frameCount,
    ]);
  }

  return {
    // Queries name the table Set first, because TRUNCATE and removals lock it first: another order can end in
    // a deadlock.
    /**
     * Returns the rows nearest to any of the vectors, each once, at most `count` per vector, and the pairs of row
     * and vector. `episodeKeys` limits the search.
     */
    async findNearest(request: {
      kind: Kind;
      vectors: readonly Float32Array[];
      count: number;
      leastCosine: number;
      episodeKeys: readonly string[] | null;
    }): Promise<PackedRows & { pairs: Uint8Array }> {
      const { kind, vectors, count, leastCosine, episodeKeys } = request;
      const table = tables[kind];
      const rows = await replicas.read<PackedRow & { pairs: string }>(
        `SELECT ${episode}, ${recordOf()} AS "record", h."pairs"
         FROM "vectors"."Set" s
         JOIN (
           SELECT "set", "number", ${pairsOf} AS "pairs"
           FROM "vectors"."findNearest${table}"($1::halfvec[], $2, $3, $4, $5, $6) GROUP BY 1, 2) h
           ON h."set" = s."id" AND s."modelId" = $5
         JOIN "vectors"."${table}" f ON f."set" = h."set" AND f."number" = h."number"`,
        [writeHalves(vectors, halfvecId), count, shortlistOf(count), leastCosine, model.id, episodeKeys],
      );
      return { ...packRows(rows), pairs: packPairs(rows, count * vectors.length) };
    },

    /** Returns the rows of the ranges with their thumbnails, which it reads from the published descriptors. */
    async readFrames(
      kind: Kind,
      ranges: readonly { episodeId: number; shot: number; first: number; last: number }[],
    ): Promise<PackedRows> {
      // OFFSET 0 keeps the order of the joins: the planner would read all rows and chunks of the episodes.
      const rows = await replicas.read<PackedRow>(
        `SELECT ${episode}, ${recordOf('c."thumbnail"')} AS "record"
         FROM "vectors"."Set" s
         JOIN unnest($1::int[], $2::int[], $3::int[], $4::int[]) AS r ("set", "shot", "first", "last")
           ON r."set" = s."id"
         CROSS JOIN LATERAL (
           SELECT * FROM "vectors"."${tables[kind]}" f
           WHERE f."set" = s."id" AND f."number" BETWEEN r."first" AND r."last" AND f."shot" = r."shot"
           OFFSET 0) f
         CROSS JOIN LATERAL (
           SELECT substring(c."bytes" FROM f."thumbnailAt" + 1 FOR ${thumbnailBytes}) AS "thumbnail"
           FROM "DescriptorChunk" c
           WHERE c."setId" = s."setId" AND c."index" = f."chunk" OFFSET 0) c`,
        [
          ranges.map((range) => range.episodeId),
          ranges.map((range) => range.shot),
          ranges.map((range) => range.first),
          ranges.map((range) => range.last),
        ],
      );
      return packRows(rows, { withThumbnails: true });
    },

    /** Returns the strips of the shots, those of a shot in order of time, from the published descriptors. */
    async readStrips(
      shots: readonly { episodeId: number; shot: number }[],
    ): Promise<{ episodeId: number; shot: number; bytes: Uint8Array }[]> {
      // OFFSET 0 as in readFrames.
      const rows = await replicas.read<{ episodeId: number; shot: number; bytes: Buffer }>(
        `SELECT s."id" AS "episodeId", p."shot", c."bytes"
         FROM "vectors"."Set" s
         JOIN unnest($1::int[], $2::int[]) AS r ("set", "shot") ON r."set" = s."id"
         CROSS JOIN LATERAL (
           SELECT * FROM "vectors"."Strip" p WHERE p."set" = s."id" AND p."shot" = r."shot" OFFSET 0) p
         CROSS JOIN LATERAL (
           SELECT substring(c."bytes" FROM p."at" + 1 FOR p."length") AS "bytes" FROM "DescriptorChunk" c
           WHERE c."setId" = s."setId" AND c."index" = p."chunk" OFFSET 0) c
         ORDER BY s."id", p."shot", p."number"`,
        [shots.map(({ episodeId }) => episodeId), shots.map(({ shot }) => shot)],
      );
      return rows.map(({ bytes, ...shot }) => ({ ...shot, bytes: new Uint8Array(bytes) }));
    },

    /**
     * Returns the descriptors of this model that the index does not contain, of later library changes than
     * `afterSeq`, oldest first, without `except`.
     */
    async listUnindexed(o: {
      limit: number;
      afterSeq: bigint;
      except: readonly string[];
    }): Promise<UnindexedSet[]> {
      const { rows } = await pool.query<UnindexedSet>(
        `SELECT d."id" AS "setId", d."episodeId" FROM "DescriptorSet" d
         WHERE d."modelId" = $1 AND d."seq" > $4
           AND NOT EXISTS (SELECT 1 FROM "vectors"."Set" s WHERE s."setId" = d."id")
           AND d."id" <> ALL($3)
         ORDER BY d."seq" LIMIT $2`,
        [model.id, o.limit, o.except, o.afterSeq],
      );
      return rows;
    },

    /**
     * Adds the descriptors of one episode in one transaction. Several processes may add the same ones: only
     * one of them does, and the others return false, as after the removal of the episode. With `waits` they
     * return when it has ended.
     */
    async add(
      set: UnindexedSet,
      toRows: (stored: StoredDescriptors) => Promise<IndexedEpisodeRows>,
      { waits = false }: { waits?: boolean } = {},
    ): Promise<boolean> {
      return await inTransaction(pool, async (client) => {
        // The lock also delays the removal of the descriptors until the rows that it removes are complete.
        const locked = await client.query<{ frameTable: Buffer }>(
          `SELECT "frameTable" FROM "DescriptorSet" WHERE "id" = $1 AND "seq" IS NOT NULL
           FOR UPDATE ${waits ? "" : "SKIP LOCKED"}`,
          [set.setId],
        );
        const [head] = locked.rows;
        if (head === undefined) return false;
        const created = await client.query<{ id: number }>(
          `INSERT INTO "vectors"."Set" ("setId", "episodeId", "modelId", "aspect", "frameCount")
           VALUES ($1, $2, $3, 1, 0) ON CONFLICT DO NOTHING RETURNING "id"`,
          [set.setId, set.episodeId, model.id],
        );
        const id = created.rows[0]?.id;
        if (id === undefined) return false;
        const chunks = await client.query<{ bytes: Buffer }>(
          `SELECT "bytes" FROM "DescriptorChunk" WHERE "setId" = $1 ORDER BY "index"`,
          [set.setId],
        );
        const stored = { frameTable: head.frameTable, chunks: chunks.rows.map(({ bytes }) => bytes) };
        await insert(client, id, await toRows(stored));
        return true;
      });
    },

    /**
     * Empties the index, runs `fill`, and creates the HNSW indexes afterwards, which is faster than to extend
     * them by each row. Until then searches fail with 57P03 (`cannot_connect_now`).
     */
    async rebuild(fill: () => Promise<void>): Promise<void> {
      await inTransaction(pool, async (client) => {
        await client.query(
          `TRUNCATE "vectors"."Set", "vectors"."Frame", "vectors"."Region", "vectors"."Strip"`,
        );
        await client.query(
          `DROP INDEX IF EXISTS "vectors"."Frame_vector_idx", "vectors"."Region_vector_idx"`,
        );
      });
      try {
        await fill();
      } finally {
        await createIndexes();
      }
    },

    /** Returns the numbers of frames and episodes of this model. */
    async stats(): Promise<{ frames: number; episodes: number }> {
      const { rows } = await pool.query<{ frames: number; episodes: number }>(
        `SELECT coalesce(sum("frameCount"), 0)::float8 AS "frames", count(*)::int AS "episodes"
         FROM "vectors"."Set" WHERE "modelId" = $1`,
        [model.id],
      );
      return rows[0] ?? { frames: 0, episodes: 0 };
    },
  };
}

/** The index of frames in PostgreSQL. */
export type FrameIndexStore = Awaited<ReturnType<typeof openFrameIndexStore>>;

async function readHalfvecId(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ id: number }>("SELECT 'halfvec'::regtype::oid::int8::float8 AS id");
  return rows[0]?.id ?? 0;
}

async function inTransaction<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    const result = await work(client);
    await client.query("COMMIT");
    return result;
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}
