import { readdirSync, readFileSync } from "node:fs";

const ticksPerSecond = 100;
// Fields of /proc/PID/stat after the name of the program, from 0: see proc(5).
const ownFields = [11, 12];
const childFields = [13, 14];

/**
 * Returns the processor seconds of all ended child processes of this process and of their ended children; 0
 * without /proc. Embedded databases are not among them, because they outlive their clients.
 */
export function readChildSeconds(): number {
  return readSeconds("self", childFields);
}

/**
 * Returns the processor seconds of the embedded database of a data folder, with those of ended processes of
 * PostgreSQL; 0 when it does not run.
 */
export function readDatabaseSeconds(dataDir: string): number {
  const pids = readFolder("/proc").filter((entry) => /^\d+$/.test(entry));
  const servers = pids.filter((pid) => {
    const command = readText(`/proc/${pid}/cmdline`).split("\0");
    const isServer = command.some((part) => /\/local-server\/server\.ts$/.test(part));
    return isServer && command.some((part) => part === dataDir || part.startsWith(`${dataDir}/`));
  });
  return servers.reduce((sum, pid) => sum + readTreeSeconds(pid), 0);
}

function readTreeSeconds(pid: string): number {
  const children = readText(`/proc/${pid}/task/${pid}/children`).split(" ").filter(Boolean);
  const own = readSeconds(pid, [...ownFields, ...childFields]);
  return children.reduce((sum, child) => sum + readTreeSeconds(child), own);
}

function readSeconds(pid: string, fields: readonly number[]): number {
  const stat = readText(`/proc/${pid}/stat`);
  const values = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields.reduce((sum, field) => sum + Number(values[field] ?? 0), 0) / ticksPerSecond;
}

/** The names in a folder; empty if it cannot be read, as of a process that ended. */
export function readFolder(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

/** The text of a file; empty if it cannot be read, as of a process that ended. */
export function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
