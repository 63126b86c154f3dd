import { setTimeout as wait } from "node:timers/promises";
import { type Database, listBackups } from "@koma/database";

/** Backups of every day. */
export type ScheduledBackups = {
  /** The times of the newest backup and of the last attempt that failed since then. */
  status(): Promise<{ lastAt: Date | undefined; failedAt: Date | undefined }>;
  close(): Promise<void>;
};

/**
 * Writes a backup at `at` (`HH:MM` in the local time zone) every day, and at the start if the last one is missing.
 * APIs that share the folder write one. After a failure it tries again in an hour.
 */
export function scheduleBackups(options: {
  database: Pick<Database, "withLock">;
  folder: string;
  at: string;
  /** Writes a backup into the folder. */
  backUp: (signal: AbortSignal) => Promise<unknown>;
  onLog: (message: string, level: "info" | "warn") => void;
}): ScheduledBackups {
  const { database, folder, at, backUp, onLog } = options;
  const closing = new AbortController();
  const { signal } = closing;
  let failedAt: Date | undefined;

  const isMissing = async () => {
    const [newest] = await listBackups(folder);
    return newest === undefined || newest.at < lastDue(at, new Date());
  };
  async function backUpIfMissing(): Promise<void> {
    if (!(await isMissing())) return;
    await database.withLock({ name: "backup", signal }, async () => {
      if (!(await isMissing())) return;
      const startedAtMs = performance.now();
      await backUp(signal);
      const seconds = ((performance.now() - startedAtMs) / 1000).toFixed(1);
      onLog(`A backup was written to ${folder} and read again, in ${seconds} s.`, "info");
    });
    failedAt = undefined;
  }
  async function run(): Promise<void> {
    while (!signal.aborted) {
      await backUpIfMissing().catch((error: unknown) => {
        if (signal.aborted) return;
        failedAt = new Date();
        const reason = error instanceof Error ? error.message : String(error);
        onLog(`The scheduled backup failed and is tried again in an hour: ${reason}`, "warn");
      });
      const untilDueMs = lastDue(at, new Date()).getTime() + dayMs - Date.now();
      // The clock can be set, and a day with a change of the time zone has 23 or 25 hours.
      await wait(Math.min(Math.max(untilDueMs, 1000), hourMs), undefined, { signal }).catch(() => undefined);
    }
  }
  const running = run();
  return {
    async status() {
      const [newest] = await listBackups(folder).catch(() => []);
      return { lastAt: newest?.at, failedAt };
    },
    async close() {
      closing.abort();
      await running;
    },
  };
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The last time before `now` at which the clock showed `at` (`HH:MM`). */
export function lastDue(at: string, now: Date): Date {
  const [hours = 0, minutes = 0] = at.split(":").map(Number);
  const due = new Date(now);
  due.setHours(hours, minutes, 0, 0);
  if (due > now) due.setDate(due.getDate() - 1);
  return due;
}
