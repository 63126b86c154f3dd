import type { Configuration } from "@koma/config";
import type { DatabaseInspection } from "@koma/database";
import type { DataFolder } from "./probe-data-folder.ts";

/** What a check found: sentences that name the remedy unless the status is "ok". */
export type Finding = { status: "ok" | "warning" | "problem"; detail: string };

/** The parameters of a check: the configuration and what several checks read. */
export type CheckContext = {
  configuration: Configuration;
  dataFolder: DataFolder;
  database: DatabaseInspection;
};

export const ok = (detail: string): Finding => ({ status: "ok", detail });
export const warning = (detail: string): Finding => ({ status: "warning", detail });
export const problem = (detail: string): Finding => ({ status: "problem", detail });
