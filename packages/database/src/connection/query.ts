import type pg from "pg";

/**
 * Runs one statement by pg and returns its rows, for the statements of a search and of opening its index: through
 * Prisma each takes 0.3 to 0.5 ms more of the main thread, and the first one of a process 70 ms.
 */
export type Query = <Row extends pg.QueryResultRow>(sql: string, values: unknown[]) => Promise<Row[]>;

/** As `Query`, of rows that can be some seconds old. Incomplete rows of a replica are read from the primary. */
export type QueryReader = <Row extends pg.QueryResultRow>(
  sql: string,
  values: unknown[],
  isComplete?: (rows: Row[]) => boolean,
) => Promise<Row[]>;

/**
 * Creates a `Query`. With `isPrepared`, each connection parses a statement once, so texts must be constants.
 * Poolers such as pgbouncer can give the next statement to another connection of the server.
 */
export function createQuery(pool: pg.Pool, { isPrepared }: { isPrepared: boolean }): Query {
  const names = new Map<string, string>();
  return async <Row extends pg.QueryResultRow>(text: string, values: unknown[]) => {
    if (!isPrepared) return (await pool.query<Row>(text, values)).rows;
    const name = names.get(text) ?? `koma_${names.size}`;
    names.set(text, name);
    return (await pool.query<Row>({ name, text, values })).rows;
  };
}
