import { isAbsolute } from "node:path";
import { z } from "zod";
import { decimalInteger } from "./values.ts";

/** The settings of scheduled backups, by the names of their environment variables. */
export const backupConfiguration = {
  KOMA_BACKUP_FOLDER: z
    .string()
    .refine(isAbsolute, "must be an absolute path")
    .optional()
    .describe(
      "Absolute folder into which the API writes a backup of the database every day, on another disk if possible; `koma backup` without a file writes one too. Unset: no scheduled backups.",
    ),
  KOMA_BACKUP_AT: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time like 03:30")
    .default("03:30")
    .describe("Time of day of these backups, in the time zone of the process (`TZ`)."),
  KOMA_BACKUP_KEEP: decimalInteger({ minimum: 1, maximum: 1000 })
    .default(7)
    .describe("Number of these backups that stay; older ones are deleted after a new one was verified."),
};
