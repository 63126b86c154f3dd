import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { inspectDatabase } from "@koma/database";
import { describe, expect, it } from "vitest";
import { makeEpisode } from "./make-episode.ts";
import { openTestDatabase } from "./open-test-database.ts";

const { database, databaseUrl, query } = await openTestDatabase();

async function inspect() {
  const found = await inspectDatabase({ dataDir: tmpdir(), databaseUrl });
  if (found.status !== "connected") throw new Error(`The status is ${found.status}.`);
  return found;
}

it("reports the server, the schema and the content", async () => {
  await makeEpisode(database);
  const { server, schemas, content } = await inspect();
  expect(server.version).toMatch(/^\d+/);
  expect(server.sizeBytes).toBeGreaterThan(1_000_000);
  expect(Math.abs(server.clockOffsetMs)).toBeLessThan(30_000);
  expect(Object.keys(server.durability)).toEqual(["fsync", "full_page_writes", "synchronous_commit"]);
  expect(schemas).toEqual({ isEmpty: false, missingMigrations: [], problem: undefined });
  expect(content).toMatchObject({
    episodes: { ready: 0, failed: 0, unfinished: 1 },
    episodesOfModel: {},
    frames: 0,
    newestRowAt: null,
  });
});

it("reports the time of the newest row", async () => {
  const createdAt = "2099-01-02T03:04:05.678Z";
  await query(
    `INSERT INTO "AuditEntry" ("id", "createdAt", "actor", "action", "target") VALUES ('future', '${createdAt}', 'a', 'b', 'c')`,
  );
  expect((await inspect()).content?.newestRowAt).toEqual(new Date(createdAt));
});

it("reports missing and unknown migrations, and applies none", async () => {
  await query(
    "CREATE TABLE saved AS SELECT * FROM _prisma_migrations ORDER BY migration_name DESC LIMIT 1;" +
      "DELETE FROM _prisma_migrations WHERE migration_name IN (SELECT migration_name FROM saved)",
  );
  const behind = await inspect();
  expect([behind.schemas.missingMigrations.length, behind.content]).toEqual([1, undefined]);
  expect((await inspect()).schemas.missingMigrations).toEqual(behind.schemas.missingMigrations);
  await query(
    "INSERT INTO _prisma_migrations SELECT * FROM saved; UPDATE _prisma_migrations SET migration_name = '99990101000000_later' WHERE migration_name IN (SELECT migration_name FROM saved)",
  );
  expect((await inspect()).schemas.problem).toMatch(/99990101000000_later.*newer version of Koma/);
});

describe("inspectDatabase", () => {
  it("reports without the password that PostgreSQL does not respond", async () => {
    const databaseUrl = "postgres://koma:secret-word@127.0.0.1:9/koma";
    const found = await inspectDatabase({ dataDir: tmpdir(), databaseUrl });
    expect(found).toEqual({ status: "unavailable", reason: expect.stringContaining("ECONNREFUSED") });
    expect(JSON.stringify(found)).not.toContain("secret-word");
  });

  it("creates nothing in an empty data folder", async () => {
    const dataDir = await mkdtemp(path.join(tmpdir(), "koma-test-"));
    try {
      expect(await inspectDatabase({ dataDir })).toEqual({ status: "missing" });
      expect(await readdir(dataDir)).toEqual([]);
    } finally {
      await rm(dataDir, { recursive: true });
    }
  });
});
