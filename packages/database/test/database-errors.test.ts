import { tmpdir } from "node:os";
import { PrismaPg } from "@prisma/adapter-pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { isDatabaseUnavailable, isDiskFull } from "../src/connection/database-errors.ts";
import { openPool } from "../src/connection/open-pool.ts";
import { PrismaClient } from "../src/generated/client.ts";

let pool: Awaited<ReturnType<typeof openPool>>;
beforeAll(async () => {
  pool = await openPool({ dataDir: tmpdir(), databaseUrl: inject("testServerUrl"), poolSize: 2 });
});
afterAll(() => pool?.end());

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

test("a full disk is recognized without its code, as in errors of other threads", () => {
  expect(isDiskFull(new Error("ENOSPC: no space left on device, write"))).toBe(true);
  expect(isDiskFull(new Error("The name ENOSPC is taken."))).toBe(false);
});
