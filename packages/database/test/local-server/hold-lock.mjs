// A child process of the tests: locks a folder, keeps no reference to the lock, and stays.
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { takeFolderLock } from "../../src/local-server/folder-lock.ts";

// A new folder may have the inode of a deleted one whose lock a server of another test still holds.
while ((await takeFolderLock(process.argv[2])) === undefined) await pause(50);
for (let turn = 0; turn < 3; turn++) {
  await pause(1);
  globalThis.gc();
}
process.send("locked");
await once(process, "disconnect");
