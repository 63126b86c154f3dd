import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { Worker } from "node:worker_threads";
import { findFfmpeg } from "@koma/library";
import { expect, test } from "vitest";
import { nextGuest, openTestLibrary } from "./fixtures/open-test-api.ts";
import { drawNoise } from "./fixtures/videos.ts";

const library = await openTestLibrary();
const api = await library.openApi({ KOMA_GUEST_SEARCHES_PER_DAY: "1000000" });

/**
 * Eight clients of different networks search for `seconds`. Returns the longest delays of the API's thread
 * and of an idle thread, in milliseconds.
 */
async function measure(image: Buffer, seconds: number) {
  const clients = new Worker(new URL("./fixtures/load-clients.mjs", import.meta.url), {
    workerData: { url: api.url, image, addresses: Array.from({ length: 8 }, nextGuest), seconds },
  });
  await once(clients, "online");
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const [result] = (await once(clients, "message")) as [LoadResult];
  delay.disable();
  await clients.terminate();
  return { maxMs: delay.max / 1e6, ...result };
}

type LoadResult = {
  searches: number;
  failures: string[];
  idleMs: number;
  slowestHealthMs: number;
};

/**
 * The best of several rounds counts, because other programs can only increase the delay. If the idle thread
 * is delayed in every round, the machine is too busy and the test is skipped with that reason.
 */
async function expectFluent(image: Buffer, skip: (note: string) => void): Promise<void> {
  const rounds = [];
  for (let round = 0; round < 5; round++) {
    const measured = await measure(image, 2);
    expect(measured.failures).toEqual([]);
    expect(measured.searches).toBeGreaterThan(0);
    if (measured.maxMs < 20 && measured.slowestHealthMs < 2000) return;
    rounds.push(measured);
  }
  // On two cores that the workers occupy, the scheduler delays a thread by several milliseconds.
  const quiet = rounds.filter((round) => round.idleMs < 5);
  expect(quiet, JSON.stringify(rounds)).toEqual([]);
  skip("other programs keep this machine too busy to measure");
}

test("eight clients with images of several megabytes block the event loop for less than 20 ms", async ({
  skip,
}) => {
  const folder = await mkdtemp(join(tmpdir(), "koma-noise-"));
  await drawNoise(await findFfmpeg(), join(folder, "noise.png"));
  const image = await readFile(join(folder, "noise.png"));
  await rm(folder, { recursive: true });
  expect(image.length).toBeGreaterThan(3_000_000);
  await expectFluent(image, skip);
});
