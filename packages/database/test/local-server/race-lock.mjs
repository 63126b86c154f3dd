// A child process of the tests: tries to take the lock of a folder repeatedly until it holds it, and reports
// it.
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { takeFolderLock } from "../../src/local-server/folder-lock.ts";

const [folder] = process.argv.slice(2);
process.send("ready");
await once(process, "message");
while ((await takeFolderLock(folder)) === undefined) await pause(Math.random() * 10);
process.send("locked");
await once(process, "disconnect");
