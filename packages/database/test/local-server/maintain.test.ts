import { connectDatabase, type Database } from "@koma/database";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { copyPreparedFolder, embeddedConnection } from "../describe-on-both.ts";

describe("maintenance of the embedded database", () => {
  let database: Database;
  let client: pg.Client;
  let remove: () => Promise<unknown>;

  beforeAll(async () => {
    const folder = await copyPreparedFolder();
    remove = folder.remove;
    database = await connectDatabase({ dataDir: folder.dataDir });
    client = new pg.Client(embeddedConnection(folder.dataDir));
    await client.connect();
  });

  afterAll(async () => {
    await client.end();
    await database.close();
    await remove();
  });

  async function read(expression: string): Promise<number> {
    const { rows } = await client.query(`SELECT (${expression})::bigint AS value`);
    return Number(rows[0].value);
  }

  it("reuses the space of updated rows", { timeout: 240_000 }, async () => {
    await client.query(`CREATE TABLE "Lamp" (id INT PRIMARY KEY, lit INT)`);
    await client.query(`CREATE INDEX ON "Lamp" (lit)`);
    await client.query(`INSERT INTO "Lamp" SELECT n, 0 FROM generate_series(1, 1000) n`);
    const sizes: number[] = [];
    for (let round = 0; round < 3; round++) {
      for (let update = 0; update < 20; update++) await client.query(`UPDATE "Lamp" SET lit = lit + 1`);
      sizes.push(await read(`pg_total_relation_size('"Lamp"')`));
      const isVacuumed = async () => (await read(`pg_stat_get_vacuum_count('"Lamp"'::regclass)`)) > round;
      await expect.poll(isVacuumed, { timeout: 60_000, interval: 250 }).toBe(true);
    }
    const [first = 0] = sizes;
    expect(Math.max(...sizes)).toBeLessThan(first * 1.3);
  });

  it("writes a checkpoint after 64 MiB of the log", { timeout: 120_000 }, async () => {
    await client.query(`CREATE TABLE "Film" (reel TEXT)`);
    await client.query(`ALTER TABLE "Film" ALTER reel SET STORAGE EXTERNAL`);
    for (let reel = 0; reel < 70; reel++)
      await client.query(`INSERT INTO "Film" VALUES (repeat('x', 1000000))`);
    const replayBytes = () =>
      read("SELECT pg_current_wal_insert_lsn() - redo_lsn FROM pg_control_checkpoint()");
    await expect.poll(replayBytes, { timeout: 60_000, interval: 250 }).toBeLessThan(16 * 1024 ** 2);
  });
});
