import type pg from "pg";

/** The role that has access to the bots' tables only. */
export const botRole = "koma_bots";

/**
 * Creates the role `koma_bots` when it is missing and grants it the schema `bots` only. Returns the reason
 * when that is not permitted.
 */
export async function ensureBotRole(pool: pg.Pool): Promise<string | undefined> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    // Concurrent GRANT statements fail ("tuple concurrently updated").
    await client.query("SELECT pg_advisory_xact_lock(hashtext('koma_bots'))");
    if (!(await isPrepared(client))) {
      await client.query(createRoleSql);
      await client.query(grantSql);
    }
    await client.query("SET LOCAL ROLE koma_bots");
    await client.query("COMMIT");
    return undefined;
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined);
    if (isCode(error, "42501") || isCode(error, "42704")) {
      return "it may not create the role koma_bots (CREATE ROLE koma_bots NOLOGIN; GRANT koma_bots TO its own role)";
    }
    throw error;
  } finally {
    client.release();
  }
}

/** True behind a pooler such as pgbouncer, which tells its clients process ids of its own. */
export async function isPooled(pool: pg.Pool): Promise<boolean> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    return rows[0]?.pid !== Reflect.get(client, "processID");
  } finally {
    client.release();
  }
}

async function isPrepared(client: pg.PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ ok: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = 'koma_bots')
      AND NOT EXISTS (
        SELECT FROM pg_tables WHERE schemaname = 'bots' AND tablename <> '_prisma_migrations'
          AND NOT has_table_privilege('koma_bots', format('%I.%I', schemaname, tablename), 'DELETE')
      ) AS ok`,
  );
  return rows[0]?.ok === true;
}

// From PostgreSQL 16 on, the creator of a role is a member that may not set it.
const setRole = "CASE WHEN current_setting('server_version_num')::int < 160000 THEN 'MEMBER' ELSE 'SET' END";

const createRoleSql = `DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'koma_bots') THEN
    CREATE ROLE koma_bots NOLOGIN;
  END IF;
  IF NOT pg_has_role(current_user, 'koma_bots', ${setRole}) THEN
    EXECUTE format('GRANT koma_bots TO %I', current_user);
  END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$`;

const grantSql = `
  GRANT USAGE ON SCHEMA bots TO koma_bots;
  GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA bots TO koma_bots;
  GRANT SELECT ON bots._prisma_migrations TO koma_bots;
  REVOKE INSERT, UPDATE, DELETE ON bots._prisma_migrations FROM koma_bots`;

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
