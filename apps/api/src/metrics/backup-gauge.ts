import { Gauge, type Registry } from "prom-client";
import type { ScheduledBackups } from "../backups/scheduled-backups.ts";

/** Adds the time of the newest scheduled backup, which is read when Prometheus collects it. */
export function addBackupGauge(registry: Registry, backups: ScheduledBackups): void {
  new Gauge({
    name: "koma_backup_timestamp_seconds",
    help: "The time of the newest scheduled backup; 0 if there is none.",
    registers: [registry],
    async collect() {
      this.set(((await backups.status()).lastAt?.getTime() ?? 0) / 1000);
    },
  });
}
