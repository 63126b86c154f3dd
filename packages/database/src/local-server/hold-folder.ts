import { writeFile } from "node:fs/promises";
import path from "node:path";
import { acceptsConnections } from "./accepts-connections.ts";
import { takeFolderLock } from "./folder-lock.ts";
import type { FolderLock } from "./generation-lock.ts";
import { heartbeatFile } from "./lock-generations.ts";

const lockWaitMs = 10_000;
const lockPauseMs = 250;
const beatMs = 2_000;
// More often than the heartbeat: after a pause of this machine, another one may have taken the lock.
const checkMs = 500;
const checksPerBeat = beatMs / checkMs;

/**
 * Locks a folder and writes the heartbeat of the lock; undefined when another process keeps it for 10 s, or
 * serves clients at `socketFile`. Calls `onLost` when the folder was deleted, and when another machine took it while
 * this one was suspended.
 */
export async function holdFolder(
  { folder, socketFile }: { folder: string; socketFile: string },
  onLost: () => void,
): Promise<FolderLock | undefined> {
  const deadlineMs = performance.now() + lockWaitMs;
  // The holder may be exiting; if it accepts connections, the client uses it.
  for (;;) {
    const lock = await takeFolderLock(folder);
    if (lock !== undefined) return withHeartbeat(lock, onLost);
    if ((await acceptsConnections(socketFile)) || performance.now() > deadlineMs) return undefined;
    await new Promise((resolve) => setTimeout(resolve, lockPauseMs));
  }
}

function withHeartbeat(lock: FolderLock, onLost: () => void): FolderLock {
  const { heartbeatFolder } = lock;
  if (heartbeatFolder === undefined) return lock;
  let checks = 0;
  async function check(): Promise<void> {
    if (!(await lock.isHeld().catch(() => true))) return onLost();
    // A failed write (a full disk) affects other machines only.
    if (checks++ % checksPerBeat === 0) {
      await writeFile(path.join(heartbeatFolder ?? "", heartbeatFile), `${checks}\n`).catch(() => undefined);
    }
  }
  const timer = setInterval(() => void check(), checkMs).unref();
  void check();
  return {
    ...lock,
    async release() {
      clearInterval(timer);
      await lock.release();
    },
  };
}
