import { Gauge, type Registry } from "prom-client";
import type { ScheduledBackups } from "../backups/scheduled-backups.ts";

/** Adds the times of scheduled backups, which are read when Prometheus collects them. */
export function addBackupGauges(registry: Registry, backups: ScheduledBackups): void {
  const registers = [registry];
  new Gauge({
    name: "koma_backup_timestamp_seconds",
    help: "The time of the newest scheduled backup; 0 if there is none.",
    registers,
    async collect() {
      this.set(((await backups.status()).lastAt?.getTime() ?? 0) / 1000);
    },
  });
  new Gauge({
    name: "koma_backup_failing",
    help: "1 if the last attempt of a scheduled backup failed, else 0.",
    registers,
    async collect() {
      this.set((await backups.status()).failedAt === undefined ? 0 : 1);
    },
  });
}
