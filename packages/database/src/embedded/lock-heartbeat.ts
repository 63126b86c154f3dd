// Entry of a worker thread of the embedded server: writes the heartbeat of the lock. The thread writes while
// PGlite computes in the main thread (a value of 5 MB takes 1 s).
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { workerData } from "node:worker_threads";
import { heartbeatFile, isLatestGeneration } from "./lock-generations.ts";

const intervalMs = 2_000;
const folder: string = workerData;

for (let beat = 1; ; beat++) {
  // Another machine took the folder while this one was suspended, so this process must not write to it.
  if (!(await isLatestGeneration(folder).catch(() => true))) process.kill(process.pid, "SIGKILL");
  // A failed write (a full disk) affects other machines only.
  await writeFile(path.join(folder, heartbeatFile), `${beat}\n`).catch(() => undefined);
  await pause(intervalMs);
}
