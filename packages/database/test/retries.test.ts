import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runTransaction } from "../src/connection/run-transaction.ts";
import { PrismaClient } from "../src/generated/client.ts";
import { generateFile } from "./make-episode.ts";
import { openTestDatabase } from "./open-test-database.ts";

const { database, connectAgain, databaseUrl } = await openTestDatabase();
const other = await connectAgain();

let pool: pg.Pool;
let prisma: PrismaClient;

beforeAll(() => {
  pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
});

afterAll(async () => {
  await prisma.$disconnect();
  await pool.end();
});

const fail = (code: string) => `DO $$ BEGIN RAISE EXCEPTION 'test' USING ERRCODE = '${code}'; END $$`;

it.each(["40001", "40P01"])("runs the work again after SQLSTATE %s", async (code) => {
  let runs = 0;
  const result = await runTransaction(prisma, async (tx) => {
    runs += 1;
    if (runs < 3) await tx.$executeRawUnsafe(fail(code));
    return "committed";
  });
  expect([result, runs]).toEqual(["committed", 3]);
});

it.each(["23505", "08006", "57P01"])("does not run the work again after SQLSTATE %s", async (code) => {
  let runs = 0;
  const work = runTransaction(prisma, async (tx) => {
    runs += 1;
    await tx.$executeRawUnsafe(fail(code));
  });
  await expect(work).rejects.toThrow();
  expect(runs).toBe(1);
});

it("does not run the work again after a unique violation of Prisma", async () => {
  let runs = 0;
  const work = runTransaction(prisma, async (tx) => {
    runs += 1;
    await tx.libraryState.create({ data: { id: 1 } });
  });
  await expect(work).rejects.toThrow(/[Uu]nique/);
  expect(runs).toBe(1);
});

it("upserts one episode when concurrent processes find the same file", async () => {
  const { id: animeId } = await database.anime.findOrCreate({ key: "upsert" });
  const file = { ...generateFile(), animeId, season: null, number: "1", title: null };
  const episodes = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      (index % 2 === 0 ? database : other).episodes.upsertPending(file),
    ),
  );
  expect(new Set(episodes.map(({ id }) => id)).size).toBe(1);
});
