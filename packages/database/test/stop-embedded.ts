import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** Returns the process id of the embedded server of a data folder from its file. */
export async function readServerPid(dataDir: string): Promise<number> {
  return Number(await readFile(path.join(dataDir, "database", "server.pid"), "utf8"));
}

/** Stops the embedded server of a data folder if one runs, and waits for its exit. */
export async function stopEmbedded(dataDir: string, signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
  const pid = await readServerPid(dataDir).catch(() => undefined);
  if (pid === undefined || !isRunning(pid)) return;
  process.kill(pid, signal);
  const deadline = Date.now() + 15_000;
  while (isRunning(pid)) {
    if (Date.now() > deadline) throw new Error(`Server ${pid} did not exit.`);
    await pause(20);
  }
}

/** Returns true when a process exists. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
