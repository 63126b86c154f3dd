import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { connectDatabase, DatabaseUnavailableError } from "@koma/database";
import pg from "pg";
import { describe, expect, it } from "vitest";
import { openPool } from "../src/connection/open-pool.ts";
import { makeEpisode } from "./make-episode.ts";
import { openTestDatabase } from "./open-test-database.ts";

const { database, connectAgain, databaseUrl } = await openTestDatabase();
const other = await connectAgain();

it("responds, collects garbage and can be closed twice", async () => {
  await other.ping();
  await other.collectGarbage();
  await Promise.all([other.close(), other.close()]);
  await expect(other.ping()).rejects.toThrow();
});

it("continues after its connections were closed", async () => {
  const { id } = await makeEpisode(database);
  const client = new pg.Client(databaseUrl);
  await client.connect();
  await client.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
  );
  await client.end();
  // The pool removes a connection after it detects that the server closed it.
  await expect.poll(() => database.ping().then(() => "up")).toBe("up");
  const [found, claim] = await Promise.all([
    database.episodes.find(id),
    database.episodes.claim(id, { owner: "test", leaseSeconds: 60 }),
  ]);
  expect(found?.id).toBe(id);
  expect(claim?.episodeId).toBe(id);
});

it("reports the loss of a connection in use by its next query", async () => {
  const pool = await openPool({ dataDir: tmpdir(), databaseUrl, poolSize: 1 });
  const client = await pool.connect();
  const ended = new Promise((resolve) => client.once("end", resolve));
  (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
  await ended;
  await expect(client.query("SELECT 1")).rejects.toThrow();
  client.release();
  expect((await pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
  await pool.end();
});

it("waits at the start for a free connection", async () => {
  const admin = new pg.Client(databaseUrl);
  await admin.connect();
  const { rows } = await admin.query("SELECT 'limited_' || current_database() AS login");
  const login: string = rows[0].login;
  await admin.query(`CREATE ROLE ${login} LOGIN CONNECTION LIMIT 1`);
  const address = new URL(databaseUrl);
  address.username = login;
  const holder = new pg.Client({ connectionString: address.href });
  await holder.connect();
  const logs: string[] = [];
  const opening = openPool({
    dataDir: tmpdir(),
    databaseUrl: address.href,
    poolSize: 1,
    onLog: (line) => void logs.push(line),
  });
  await expect.poll(() => logs).toEqual([expect.stringContaining("has no free connection")]);
  await holder.end();
  await (await opening).end();
  await admin.query(`DROP ROLE ${login}`);
  await admin.end();
});

describe("connectDatabase", () => {
  it("reports without the password that PostgreSQL does not respond", async () => {
    const databaseUrl = "postgres://koma:secret-word@127.0.0.1:9/koma";
    const error = await connectDatabase({ dataDir: tmpdir(), databaseUrl }).catch(
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(DatabaseUnavailableError);
    expect(String(error)).toMatch(/does not respond: .*ECONNREFUSED/);
    expect(String(error)).not.toContain("secret-word");
  });

  it("reports that the data folder cannot be used", async () => {
    const dataDir = path.join(import.meta.filename, "below-a-file");
    await expect(connectDatabase({ dataDir })).rejects.toThrow(/data folder .* cannot be used: ENOTDIR/);
  });
});
