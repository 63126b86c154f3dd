// Entry of the embedded database server: the only process that opens PGlite. Started by ensure-server.ts with the data
// folder as its argument; ends when its last client is gone.

import { existsSync } from "node:fs";
import { chmod, rename, rm, writeFile } from "node:fs/promises";
import { PGlite } from "@electric-sql/pglite";
import { acceptsConnections } from "./accepts-connections.ts";
import { type EmbeddedFolder, openEmbeddedFolder } from "./embedded-folder.ts";
import { takeFolderLock } from "./folder-lock.ts";
import { serverExitCodes } from "./server-exit-codes.ts";
import { createWireServer } from "./wire-server.ts";

const firstClientMs = 30_000;
const lingerMs = 5_000;
const idleInTransactionMs = 30_000;
const lockAttempts = 40;
const lockPauseMs = 250;

const folder = process.argv[2];
if (folder === undefined) process.exit(serverExitCodes.failed);
const place = await openEmbeddedFolder(folder);

const lock = await waitForLock(place);
if (lock === undefined) process.exit(serverExitCodes.lockedByAnother);

const db = await openData(place);
let isEnding = false;
let exitTimer = setTimeout(() => void shutDown("nobody came"), firstClientMs);

const wire = createWireServer({
  executor: { execProtocolRaw: (message) => db.runExclusive(() => db.execProtocolRaw(message)) },
  idleInTransactionMs,
  onConnectionCount(count) {
    clearTimeout(exitTimer);
    if (count === 0) exitTimer = setTimeout(() => void shutDown("the last client is gone"), lingerMs);
  },
  onBroken(error) {
    log(`broken: ${error instanceof Error ? error.stack : String(error)}`);
    // PGlite's state is unknown; the folder is safe, and the next client starts a fresh process.
    process.exit(serverExitCodes.failed);
  },
});

for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => void shutDown(signal));

// The lock is ours, so a socket file that is still there belongs to a server that was killed.
await rm(place.socketFile, { force: true });
process.umask(0o077);
wire.server.listen(place.socketFile, async () => {
  await chmod(place.socketFile, 0o600);
  await writeFile(place.pidFile, `${process.pid}\n`);
  log(`ready, process ${process.pid}`);
});
wire.server.on("error", (error) => {
  log(`cannot listen: ${error.message}`);
  process.exit(serverExitCodes.failed);
});

async function waitForLock({ folder, socketFile }: EmbeddedFolder) {
  // The holder may be on its way out; one that serves is what our client was looking for.
  for (let attempt = 0; attempt < lockAttempts; attempt++) {
    const taken = await takeFolderLock(folder);
    if (taken !== undefined) return taken;
    if (await acceptsConnections(socketFile)) return undefined;
    await new Promise((resolve) => setTimeout(resolve, lockPauseMs));
  }
  return undefined;
}

async function openData({ folder, dataFolder }: EmbeddedFolder): Promise<PGlite> {
  if (!existsSync(dataFolder)) {
    // Built aside and renamed, so that an interrupted first start leaves nothing that looks like a database.
    const draft = `${folder}/pg.new`;
    await rm(draft, { recursive: true, force: true });
    const fresh = await PGlite.create(draft);
    await fresh.close();
    await rename(draft, dataFolder);
  }
  return await PGlite.create(dataFolder);
}

async function shutDown(reason: string): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  log(`ending: ${reason}`);
  await wire.stop();
  await db.close();
  await rm(place.pidFile, { force: true });
  process.exit(0);
}

function log(line: string): void {
  process.stdout.write(`${new Date().toISOString()} ${line}\n`);
}
