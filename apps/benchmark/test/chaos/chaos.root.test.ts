// Requires root: the disk that becomes full is a file system of its own.

import { setTimeout as wait } from "node:timers/promises";
import { formatTable } from "@koma/cli/terminal/table";
import { connectDatabase } from "@koma/database";
import { expect, test } from "vitest";
import { startChats } from "./chat-load.ts";
import { faults } from "./faults.ts";
import { startIndexing } from "./index-load.ts";
import { openSystem } from "./open-system.ts";
import { startSearches } from "./search-load.ts";

/** At least one round of all faults; further rounds until this time is over. */
const seconds = Number(process.env.KOMA_TEST_CHAOS_SECONDS ?? 0);
const clients = Number(process.env.KOMA_TEST_CHAOS_CLIENTS ?? 4);
const pauseMs = 2000;

test("no acknowledged search, episode, charge or chat message is lost", { timeout: 3_600_000 }, async () => {
  const system = await openSystem();
  const database = await connectDatabase({ dataDir: system.dataDir, databaseUrl: system.databaseUrl });
  try {
    await expect.poll(() => system.api.isServing()).toBe(true);
    await expect.poll(() => system.bot.isServing()).toBe(true);
    const searches = await startSearches({ ...system, database, clients });
    const chats = startChats(system);
    const indexing = startIndexing(system);
    const recoveries = new Map<string, number[]>();
    const endMs = performance.now() + seconds * 1000;
    do {
      for (const [name, inject] of Object.entries(faults)) {
        console.log(name);
        await inject(system, indexing);
        recoveries.set(name, [...(recoveries.get(name) ?? []), await searches.recover()]);
        await wait(pauseMs);
      }
    } while (performance.now() < endMs);

    await searches.stop();
    await chats.stop();
    expect(await indexing.stop()).toBe(0);
    report(recoveries, searches, chats, indexing);
    expect([...system.api.unexpectedEnds, ...system.bot.unexpectedEnds]).toEqual([]);
    expect(searches.responses.get("500 internal_error") ?? 0).toBe(0);
    expect(system.fake.violations).toEqual([]);
    await searches.checkBooks();

    // Telegram cannot detect a repeated reply, so a bot that is killed while it sends one may send it twice.
    const counts = chats.requested.map(({ replies }) => replies.length);
    expect(Math.min(...counts)).toBe(1);
    const repeated = counts.reduce((sum, count) => sum + count - 1, 0);
    expect(repeated).toBeLessThanOrEqual(system.bot.kills() * chats.people);
    await indexing.checkLibrary();
  } catch (error) {
    console.log(`${tail(system.api.log())}\n${tail(system.bot.log())}`);
    throw error;
  } finally {
    await database.close();
    await system.close();
  }
});

function tail(log: string): string {
  return log.split("\n").slice(-30).join("\n");
}

function report(
  recoveries: ReadonlyMap<string, readonly number[]>,
  searches: Awaited<ReturnType<typeof startSearches>>,
  chats: ReturnType<typeof startChats>,
  indexing: ReturnType<typeof startIndexing>,
): void {
  const rows = [...recoveries].map(([name, times]) => [name, times.length, Math.max(...times).toFixed(1)]);
  console.log(formatTable(["fault", "times", "longest recovery s"], rows));
  const failures = [...searches.responses].map(([outcome, count]) => `${count} ${outcome}`).join(", ");
  console.log(`${searches.count()} searches acknowledged; failed attempts: ${failures || "none"}`);
  const times = searches.firstTryMs.sort((a, b) => a - b);
  const [median, p95] = [0.5, 0.95].map((part) => Math.round(times[Math.floor(part * times.length)] ?? 0));
  console.log(`first attempts: median ${median} ms, p95 ${p95} ms`);
  console.log(`${chats.requested.length} chat messages, ${indexing.acknowledged.size} episodes`);
}
