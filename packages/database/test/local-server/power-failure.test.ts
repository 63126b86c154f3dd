import path from "node:path";
import { connectDatabase } from "@koma/database";
import { afterEach, describe, expect, it } from "vitest";
import { copyPreparedFolder } from "../describe-with-database.ts";
import { stopEmbedded } from "../testing/stop-embedded.ts";

describe("power failure", () => {
  const cleanups: (() => Promise<unknown>)[] = [];
  const environment = { ...process.env };

  afterEach(async () => {
    process.env = { ...environment };
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  /** Writes anime until the power fails after `count`; returns the lost ids of acknowledged ones. */
  async function failPowerAfter(count: number, options: { isFlushIgnored: boolean }): Promise<string[]> {
    const { dataDir, remove } = await copyPreparedFolder();
    cleanups.push(remove);
    const disk = await copyPreparedFolder("disk");
    cleanups.push(disk.remove);
    process.env.KOMA_TEST_SOURCE = path.join(dataDir, "database", "pg");
    process.env.KOMA_TEST_DISK = path.join(disk.dataDir, "database", "pg");
    if (options.isFlushIgnored) process.env.KOMA_TEST_IGNORE_FLUSHES = "1";
    const recorder = new URL("record-flushes.mjs", import.meta.url);
    process.env.NODE_OPTIONS = `${environment.NODE_OPTIONS ?? ""} --import=${recorder.href}`;
    const database = await connectDatabase({ dataDir });
    process.env = { ...environment };
    const acknowledged: string[] = [];
    const isOver = () => acknowledged.length >= count;
    const writers = ["first", "second", "third"].map(async (writer) => {
      for (let index = 0; !isOver(); index++) {
        const { id } = await database.anime.findOrCreate({
          key: `${writer} ${index}`,
          title: "x".repeat(500),
        });
        acknowledged.push(id);
      }
    });
    await Promise.all(writers);
    await stopEmbedded(dataDir, "SIGKILL");
    await database.close();
    const recovered = await connectDatabase({ dataDir: disk.dataDir });
    cleanups.push(() => recovered.close());
    const found = new Set((await recovered.anime.findMany(acknowledged)).map(({ id }) => id));
    return acknowledged.filter((id) => !found.has(id));
  }

  it.each([1, 60])("loses no acknowledged write after %i writes", { timeout: 180_000 }, async (count) => {
    expect(await failPowerAfter(count, { isFlushIgnored: false })).toEqual([]);
  });

  it("loses writes in this test when flushes have no effect", { timeout: 180_000 }, async () => {
    expect(await failPowerAfter(20, { isFlushIgnored: true })).not.toEqual([]);
  });
});
