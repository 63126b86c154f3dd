// Runs only with KOMA_TEST_CLUSTER, the folder of a cluster that deploy/test-cluster.sh started.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { takeFrame } from "@koma/bot-core/testing/videos";
import { formatTable } from "@koma/cli/terminal/table";
import { connectDatabase } from "@koma/database";
import { clipsFolder } from "@koma/sample-library";
import { describe, expect, test } from "vitest";
import { type SearchLoad, startSearches } from "../chaos/search-load.ts";
import { faults } from "./faults.ts";
import { useCluster } from "./open-cluster.ts";
import { type ReadLoad, startReads } from "./read-load.ts";

const folder = process.env.KOMA_TEST_CLUSTER ?? "";
/** Its videos are indexed, and the searches show frames of the first of them. */
const videosDir = process.env.KOMA_TEST_CLUSTER_VIDEOS ?? clipsFolder;
const clients = Number(process.env.KOMA_TEST_CHAOS_CLIENTS ?? 2);
const imageCount = 8;
/** Longer than the lease of Patroni's leader. */
const faultMs = 30_000;
const apiHosts = ["koma-1", "koma-2"];

describe.skipIf(folder === "")("cluster (needs KOMA_TEST_CLUSTER)", () => {
  test("no acknowledged search or charge is lost when hosts fail", { timeout: 3_600_000 }, async () => {
    const cluster = useCluster(folder);
    await cluster.settle();
    const { secret, databaseUrl } = cluster;
    await cluster.koma(["index", videosDir]);
    const images = await takeImages();
    const database = await connectDatabase({ dataDir: "unused", databaseUrl });
    const apis = apiHosts.map((host) => cluster.openApi(host));
    try {
      for (const api of apis) await expect.poll(() => api.isServing(), { timeout: 300_000 }).toBe(true);
      const urls = apiHosts.map((host) => `http://${host}:3000`);
      const loads = await Promise.all(
        urls.map((url) => startSearches({ url, database, secret, images, clients })),
      );
      const reads = urls.map((url) => startReads(`${url}/api/anime?pageSize=5`));
      await recover(loads);
      const rows: string[][] = [];
      for (const [name, { inject, end, serving }] of Object.entries(faults)) {
        const members = await cluster.settle();
        takeGaps(reads);
        const startedMs = performance.now();
        await inject(cluster, members);
        const duringSeconds = await recover(loads.filter((_, at) => serving?.includes(at) ?? true));
        await wait(Math.max(0, faultMs - (performance.now() - startedMs)));
        const gaps = takeGaps(reads);
        const leader = await cluster.findLeader();
        await end(cluster, members);
        const afterSeconds = await recover(loads);
        const row = [
          name,
          duringSeconds,
          gaps,
          `${members.leader} to ${leader}`,
          afterSeconds,
          takeGaps(reads),
        ];
        rows.push(row);
        console.log(row.join(", "));
      }
      await cluster.settle();
      await Promise.all([...loads, ...reads].map((load) => load.stop()));
      console.log(
        formatTable(
          ["fault", "searches after s", "gaps of reads s", "primary", "after its end s", "gaps s"],
          rows,
        ),
      );
      for (const [at, { count, firstTryMs, responses }] of loads.entries()) {
        const median = Math.round(firstTryMs.toSorted((a, b) => a - b)[firstTryMs.length >> 1] ?? 0);
        const failed = JSON.stringify(Object.fromEntries(responses));
        const statuses = JSON.stringify(Object.fromEntries(reads[at]?.statuses ?? []));
        console.log(`${count()} searches, first attempts ${median} ms, failed ${failed}; reads ${statuses}`);
      }
      expect(apis.flatMap((api) => api.unexpectedEnds)).toEqual([]);
      for (const { responses, checkBooks } of loads) {
        expect([...responses.keys()].filter((outcome) => outcome.startsWith("500"))).toEqual([]);
        await checkBooks();
      }
    } catch (error) {
      for (const api of apis) console.log(api.log().split("\n").slice(-60).join("\n"));
      throw error;
    } finally {
      for (const api of apis) await api.stop();
      await database.close();
    }
  });
});

/** Returns the seconds until every user's next search is acknowledged. */
async function recover(loads: readonly SearchLoad[]): Promise<string> {
  return Math.max(...(await Promise.all(loads.map((load) => load.recover())))).toFixed(1);
}

function takeGaps(reads: readonly ReadLoad[]): string {
  return reads.map((read) => read.takeLongestGap().toFixed(1)).join(" and ");
}

async function takeImages(): Promise<Uint8Array<ArrayBuffer>[]> {
  const images: Uint8Array<ArrayBuffer>[] = [];
  const names = (await readdir(videosDir, { recursive: true }))
    .filter((name) => name.endsWith(".mp4"))
    .sort();
  for (const name of names.slice(0, imageCount)) {
    const file = join(folder, "image.jpg");
    await takeFrame(join(videosDir, name), 1.2, file);
    images.push(new Uint8Array(await readFile(file)));
  }
  return images;
}
