import type pg from "pg";

/** The content of a database with a current schema. */
export type Content = {
  episodes: { ready: number; failed: number; unfinished: number };
  /** The searchable episodes by the model of their descriptors. */
  episodesOfModel: { [modelId: string]: number };
  /** The frames of all published descriptors. */
  frames: number;
  /** The time of the newest row, which is in the past unless a clock was wrong; null without rows. */
  newestRowAt: Date | null;
};

export async function readContent(pool: pg.Pool): Promise<Content> {
  const counts = await pool.query<Content["episodes"]>(`
    SELECT count(*) FILTER (WHERE "contentHash" IS NOT NULL AND "state" <> 'failed')::int AS "ready",
      count(*) FILTER (WHERE "state" = 'failed')::int AS "failed",
      count(*) FILTER (WHERE "contentHash" IS NULL AND "state" <> 'failed')::int AS "unfinished"
    FROM "Episode"`);
  const models = await pool.query<{ modelId: string; episodes: number; frames: number }>(`
    SELECT "modelId", count(*)::int AS "episodes", sum("frameCount")::float8 AS "frames" FROM "DescriptorSet" WHERE "seq" IS NOT NULL GROUP BY "modelId"`);
  // The conditions are those of indexes.
  const newest = await pool.query<{ ms: string | null }>(`
    SELECT (extract(epoch FROM greatest(
      (SELECT max("indexedAt") FROM "Episode"),
      (SELECT max("createdAt") FROM "AuditEntry"),
      (SELECT max("createdAt") FROM "Search" WHERE "inHistory" AND "anonymisedAt" IS NULL))) * 1000)::text AS "ms"`);
  const newestMs = newest.rows[0]?.ms ?? null;
  return {
    episodes: counts.rows[0] ?? { ready: 0, failed: 0, unfinished: 0 },
    episodesOfModel: Object.fromEntries(models.rows.map(({ modelId, episodes }) => [modelId, episodes])),
    frames: models.rows.reduce((total, { frames }) => total + frames, 0),
    newestRowAt: newestMs === null ? null : new Date(Number(newestMs)),
  };
}
