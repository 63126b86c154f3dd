import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectDatabase } from "@koma/database";
import { createTestDatabase } from "@koma/database/testing/databases";
import { findFfmpeg, openLibrary } from "@koma/library";
import { clipsFolder, samplePack } from "@koma/sample-library";
import { expect, test } from "vitest";

test("two data folders on one PostgreSQL have one sample library", async () => {
  const server = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), "koma-sample-"));
  const tools = await findFfmpeg();
  const start = async (name: string) => {
    const dataDir = join(folder, name);
    const database = await connectDatabase({ dataDir, databaseUrl: server.url });
    const library = await openLibrary({ database, dataDir, tools, samplePack, engineWorkers: 1 });
    return {
      prepare: () => library.ensureSampleLibrary({ clipsFolder }),
      count: async () => (await database.episodes.list()).length,
      async close() {
        await library.close();
        await database.close();
      },
    };
  };
  const [one, other] = [await start("one"), await start("other")];
  const prepared = await Promise.all([one.prepare(), other.prepare()]);
  expect(prepared.filter((sample) => sample !== undefined)).toHaveLength(1);
  expect(await one.count()).toBe(8);
  // The folder that created the library maintains it at later starts; a third one finds it.
  const again = await Promise.all([one.prepare(), other.prepare()]);
  expect(again.map((sample) => sample !== undefined)).toEqual(prepared.map((sample) => sample !== undefined));
  const third = await start("third");
  expect([await third.prepare(), await third.count()]).toEqual([undefined, 8]);
  for (const instance of [one, other, third]) await instance.close();
  await rm(folder, { recursive: true });
  await server.remove();
}, 300_000);
