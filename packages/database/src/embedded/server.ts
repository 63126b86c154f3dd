// Entry of the embedded database server, the only process that opens PGlite. ensure-server.ts starts it with
// the folder as its argument. It exits after its last client disconnects.
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, rename, rm, writeFile } from "node:fs/promises";
import { inspect } from "node:util";
import { Worker } from "node:worker_threads";
import type { PGlite } from "@electric-sql/pglite";
import { acceptsConnections } from "./accepts-connections.ts";
import { flush, flushTree, openDurably } from "./durable-node-fs.ts";
import { type EmbeddedFolder, openEmbeddedFolder } from "./embedded-folder.ts";
import { takeFolderLock } from "./folder-lock.ts";
import type { FolderLock } from "./generation-lock.ts";
import { maintain } from "./maintain.ts";
import { serverExitCodes } from "./server-exit-codes.ts";
import { createWireServer } from "./wire-server.ts";

const firstClientMs = 30_000;
const lingerMs = 5_000;
const idleInTransactionMs = 10_000;
const lockWaitMs = 10_000;
const lockPauseMs = 250;
const maintenanceMs = 10_000;
// After a longer pause the process may have been stopped, and another machine may have taken the lock.
const pauseLimitMs = 3_000;

try {
  const folder = process.argv[2];
  if (folder === undefined) throw new Error("The folder of the database is missing.");
  const embeddedFolder = await openEmbeddedFolder(folder);
  const startedMs = performance.now();
  const lock = await waitForLock(embeddedFolder);
  if (lock === undefined) process.exit(serverExitCodes.lockedByAnother);
  log(`locked after ${Math.round(performance.now() - startedMs)} ms`);
  await serve(embeddedFolder, lock);
} catch (error) {
  endBroken(error);
}

async function waitForLock({ folder, socketFile }: EmbeddedFolder): Promise<FolderLock | undefined> {
  const deadlineMs = performance.now() + lockWaitMs;
  // The holder may be exiting; if it accepts connections, the client uses it.
  for (;;) {
    const taken = await takeFolderLock(folder);
    if (taken !== undefined) return taken;
    if ((await acceptsConnections(socketFile)) || performance.now() > deadlineMs) return undefined;
    await new Promise((resolve) => setTimeout(resolve, lockPauseMs));
  }
}

async function serve(embeddedFolder: EmbeddedFolder, lock: FolderLock): Promise<void> {
  // A server of an older version, which uses another lock, may serve this folder.
  if (await acceptsConnections(embeddedFolder.socketFile)) process.exit(serverExitCodes.lockedByAnother);
  // This process has the lock, so these files belong to a server that was killed.
  await rm(embeddedFolder.socketFile, { force: true });
  await rm(embeddedFolder.pidFile, { force: true });
  if (lock.heartbeatFolder !== undefined) {
    startThread("lock-heartbeat", lock.heartbeatFolder).on("error", endBroken);
  }
  const db = await openData(embeddedFolder);
  const confirmLock = createLockCheck(lock);
  const wire = createWireServer({
    executor: {
      async execProtocolRaw(message) {
        await confirmLock();
        return await db.runExclusive(() => execute(db, message));
      },
    },
    idleInTransactionMs,
    onConnectionCount(count) {
      clearTimeout(exitTimer);
      if (count === 0) exitTimer = setTimeout(() => void end("the last client has disconnected"), lingerMs);
    },
    onBroken: endBroken,
  });
  setInterval(() => {
    wire.runBetweenTurns(async () => {
      await confirmLock();
      await maintain(db, log);
    });
  }, maintenanceMs).unref();
  let exitTimer = setTimeout(() => void end("no client has connected"), firstClientMs);
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void end(signal));

  let isEnding = false;
  async function end(reason: string): Promise<void> {
    if (isEnding) return;
    isEnding = true;
    log(`ending: ${reason}`);
    await wire.stop();
    await db.close();
    await rm(embeddedFolder.pidFile, { force: true });
    await lock.release();
    process.exit(0);
  }

  await writeFile(embeddedFolder.pidFile, `${process.pid}\n`);
  process.umask(0o077);
  await new Promise<void>((resolve, reject) => {
    wire.server.once("error", reject);
    wire.server.listen(embeddedFolder.socketFile, resolve);
  });
  await chmod(embeddedFolder.socketFile, 0o600);
  log(`ready, process ${process.pid}`);
}

/**
 * Throws when the process was paused and has lost its lock. Suspension stops the monotonic clock, so wall
 * time is checked too.
 */
function createLockCheck(lock: FolderLock): () => Promise<void> {
  let lastMs = { steady: performance.now(), wall: Date.now() };
  return async () => {
    const nowMs = { steady: performance.now(), wall: Date.now() };
    const passedMs = Math.max(nowMs.steady - lastMs.steady, Math.abs(nowMs.wall - lastMs.wall));
    lastMs = nowMs;
    if (passedMs > pauseLimitMs && !(await lock.isHeld())) {
      throw new Error("Another process took the data folder while this one was paused.");
    }
  };
}

async function openData({ folder, dataFolder }: EmbeddedFolder): Promise<PGlite> {
  if (!existsSync(dataFolder)) {
    // The rename makes the database appear as a whole, even when the first start is interrupted.
    const draft = `${folder}/pg.new`;
    await rm(draft, { recursive: true, force: true });
    // The thread takes the memory of initdb with it: 400 MB, which the main thread would keep.
    const [code] = await once(startThread("create-data", draft), "exit");
    if (code !== 0) throw new Error(`The data could not be created: exit code ${code}.`);
    // initdb does not flush its files.
    await flushTree(draft);
    await rename(draft, dataFolder);
    await flush(folder);
  }
  return await openDurably(dataFolder);
}

// PGlite's execProtocolRaw parses the reply too, and keeps the messages of every reply without a limit.
async function execute(db: PGlite, message: Uint8Array): Promise<Buffer> {
  const parts: Buffer[] = [];
  // The bytes are a view of PGlite's memory, so they are copied.
  await db.execProtocolRawStream(message, { onRawData: (bytes) => void parts.push(Buffer.from(bytes)) });
  return Buffer.concat(parts);
}

/** Starts the program of a file of this folder in a thread. */
function startThread(name: string, workerData: string): Worker {
  return new Worker(new URL(`./${name}.ts`, import.meta.url), { workerData });
}

// PGlite's state is unknown after an error. Acknowledged writes are in the folder; the next client starts a
// new process.
function endBroken(error: unknown): never {
  // Emscripten throws plain objects such as { errno: 54 }.
  const reason =
    error instanceof Error ? error.message.split("\n")[0] : inspect(error, { breakLength: Infinity });
  log(inspect(error));
  log(`broken: ${reason}`);
  process.exit(serverExitCodes.failed);
}

function log(line: string): void {
  process.stdout.write(`${new Date().toISOString()} ${line}\n`);
}
