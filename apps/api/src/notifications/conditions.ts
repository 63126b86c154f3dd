import { statfs } from "node:fs/promises";
import type { Database } from "@koma/database";
import type { Upstreams } from "@koma/library";
import type { ScheduledBackups } from "../backups/scheduled-backups.ts";
import type { IndexQueue } from "../indexing/index-queue.ts";
import type { Condition } from "./watch-conditions.ts";

/** What operators are notified about. */
export function listConditions(parts: {
  dataDir: string;
  database: Pick<Database, "indexQueue">;
  indexQueue: Pick<IndexQueue, "status">;
  backups: ScheduledBackups | undefined;
  upstreams: Pick<Upstreams, "listDown">;
}): { [name: string]: Condition } {
  const { dataDir, database, indexQueue, backups, upstreams } = parts;
  return {
    async indexing() {
      const { failed = 0, problem } = indexQueue.status().lastRun ?? {};
      if (problem !== undefined) return `Videos could not be indexed: ${problem}`;
      const count = failed + (await database.indexQueue.count()).dead;
      return count > 0 ? `${count} videos could not be indexed; the operator page lists them.` : undefined;
    },
    async disk() {
      const { bavail, blocks } = await statfs(dataDir);
      const share = bavail / blocks;
      // Some file systems report no size.
      return share < leastFreeShare
        ? `The disk of the data folder has ${Math.floor(share * 100)} % free.`
        : undefined;
    },
    async backup() {
      const { lastAt, failedAt } = (await backups?.status()) ?? {};
      if (failedAt !== undefined) return "The last scheduled backup failed; the log of the API says why.";
      const isOld = lastAt !== undefined && Date.now() - lastAt.getTime() > largestBackupAgeMs;
      return isOld ? "The newest scheduled backup is more than 30 hours old." : undefined;
    },
    async upstream() {
      const names = upstreams.listDown(hourMs).map(({ name }) => name);
      return names.length > 0
        ? `Searches at ${names.join(", ")} have failed for an hour; the log of the API says why.`
        : undefined;
    },
  };
}

const leastFreeShare = 0.1;
/** A day with a change of the time zone has 25 hours, and a large backup takes some. */
const largestBackupAgeMs = 30 * 3_600_000;
const hourMs = 3_600_000;
