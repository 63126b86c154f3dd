import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PrismaPg } from "@prisma/adapter-pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { isDatabaseUnavailable, isDiskFull } from "../src/connection/database-errors.ts";
import { openPool } from "../src/connection/open-pool.ts";
import { PrismaClient } from "../src/generated/client.ts";
import { stopEmbedded } from "./testing/stop-embedded.ts";

let dataDir: string;
let pool: Awaited<ReturnType<typeof openPool>>;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "koma-errors-"));
  await cp(inject("preparedDataDir"), dataDir, { recursive: true });
  pool = await openPool({ dataDir, databaseUrl: undefined, poolSize: 2 });
});
afterAll(async () => {
  await pool?.end();
  await stopEmbedded(dataDir, "SIGKILL");
  await rm(dataDir, { recursive: true, force: true });
});

test.each([
  ["53100", "a full disk", true, true],
  ["53200", "no memory", true, false],
  ["53300", "too many connections", true, false],
  ["23505", "a duplicate", false, false],
])("the error %s is %s", async (code, text, isUnavailable, isFull) => {
  const statement = `DO $$ BEGIN RAISE EXCEPTION '${text}' USING ERRCODE = '${code}'; END $$`;
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  for (const run of [() => pool.query(statement), () => prisma.$executeRawUnsafe(statement)]) {
    const error: unknown = await run().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    expect([isDatabaseUnavailable(error), isDiskFull(error)]).toEqual([isUnavailable, isFull]);
  }
});
