import type pg from "pg";
import { openPool } from "../connection/open-pool.ts";
import { ensureBotRole } from "./bot-role.ts";
import { prepareBotTables } from "./bot-tables.ts";

/** The database does not permit the login of the bots; the message states what its administrator can do. */
export class BotLoginError extends Error {
  override readonly name = "BotLoginError";
}

/**
 * Prepares the bots' tables, and a login that has access to them only: the name of the database and `_bot`,
 * with this password. Returns the address of the database with this login. Throws BotLoginError,
 * DatabaseUnavailableError and MigrationError.
 */
export async function ensureBotLogin(options: {
  dataDir: string;
  databaseUrl: string;
  password: string;
  onLog: (message: string) => void;
}): Promise<string> {
  const { dataDir, databaseUrl, password, onLog } = options;
  const pool = await openPool({ dataDir, databaseUrl, poolSize: 1 });
  try {
    await prepareBotTables(pool, { dataDir, isEmbedded: false, onLog });
    const problem = await ensureBotRole(pool);
    if (problem !== undefined) throw new BotLoginError(`The login of DATABASE_URL is limited: ${problem}.`);
    const login = await createLogin(pool, password);
    const account = `${encodeURIComponent(login)}:${encodeURIComponent(password)}@`;
    return databaseUrl.replace(/^(\w+:\/\/)(?:[^/?#]*@)?/, (_, scheme: string) => scheme + account);
  } finally {
    await pool.end();
  }
}

async function createLogin(pool: pg.Pool, password: string): Promise<string> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    await client.query("SELECT pg_advisory_xact_lock(hashtext('koma_bots'))");
    const { rows } = await client.query<{ login: string; isOwn: boolean | null }>(
      `SELECT name AS login, pg_has_role(pg_roles.oid, 'koma_bots', 'MEMBER') AS "isOwn"
        FROM (SELECT left(current_database(), 59) || '_bot' AS name) AS login
        LEFT JOIN pg_roles ON rolname = name`,
    );
    const { login = "", isOwn = null } = rows[0] ?? {};
    if (isOwn === false) {
      throw new BotLoginError(`The database has another role ${login}: rename it, or GRANT koma_bots TO it.`);
    }
    const name = client.escapeIdentifier(login);
    await client.query(
      `${isOwn === null ? "CREATE" : "ALTER"} ROLE ${name} LOGIN PASSWORD ${client.escapeLiteral(password)}`,
    );
    await client.query(`GRANT koma_bots TO ${name}`);
    await client.query("COMMIT");
    return login;
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined);
    if (error instanceof Error && "code" in error && error.code === "42501") {
      throw new BotLoginError(
        "The login of DATABASE_URL may not create logins: as an administrator of the database, run `CREATE ROLE koma_bot LOGIN PASSWORD '…' IN ROLE koma_bots`, and set KOMA_BOT_DATABASE_URL.",
      );
    }
    throw error;
  } finally {
    client.release();
  }
}
