import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { isGenerationLocked } from "../../src/local-server/generation-lock.ts";

/** Returns the process id of the embedded server of a data folder from its file. */
export async function readServerPid(dataDir: string): Promise<number> {
  return Number(await readFile(path.join(dataDir, "database", "server.pid"), "utf8"));
}

/** Returns the process id of PostgreSQL of a data folder from its file. */
export async function readPostgresPid(dataDir: string): Promise<number> {
  const file = path.join(dataDir, "database", "postgresql-18", "postmaster.pid");
  return Number((await readFile(file, "utf8")).split("\n")[0]);
}

/**
 * Stops the embedded server of a data folder if one runs, and waits until all of its processes have ended.
 * SIGKILL goes to PostgreSQL too.
 */
export async function stopEmbedded(dataDir: string, signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
  const pids = [await readServerPid(dataDir).catch(() => undefined)];
  if (signal === "SIGKILL") pids.push(await readPostgresPid(dataDir).catch(() => undefined));
  for (const pid of pids) if (pid !== undefined) sendSignal(pid, signal);
  const deadline = Date.now() + 15_000;
  const isHeld = () => isGenerationLocked(path.join(dataDir, "database"));
  while (pids.some((pid) => pid !== undefined && isRunning(pid)) || (await isHeld())) {
    if (Date.now() > deadline) throw new Error(`The server of ${dataDir} did not exit.`);
    await pause(20);
  }
}

/** Returns true when a process exists. */
export function isRunning(pid: number): boolean {
  return sendSignal(pid, 0);
}

/** Sends a signal and returns false when the process does not exist; 0 comes from a file that is being written. */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return pid > 0 && process.kill(pid, signal);
  } catch {
    return false;
  }
}
