/**
 * Drops a test's database. PostgreSQL waits 5 s for connections that are being closed; only after that are
 * they ended, because a client that is closing reports the end of its connection as an uncaught error.
 */
export async function dropDatabase(run: (sql: string) => Promise<unknown>, name: string): Promise<void> {
  await run(`DROP DATABASE ${name}`).catch(() => run(`DROP DATABASE ${name} WITH (FORCE)`));
}
