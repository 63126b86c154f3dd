// Entry of the embedded database server: the only process that opens PGlite. Started by ensure-server.ts with its
// folder as the argument; ends when its last client is gone.
import { existsSync } from "node:fs";
import { chmod, rename, rm, writeFile } from "node:fs/promises";
import { inspect } from "node:util";
import { PGlite } from "@electric-sql/pglite";
import { acceptsConnections } from "./accepts-connections.ts";
import { type EmbeddedFolder, openEmbeddedFolder } from "./embedded-folder.ts";
import { type FolderLock, takeFolderLock } from "./folder-lock.ts";
import { serverExitCodes } from "./server-exit-codes.ts";
import { createWireServer } from "./wire-server.ts";

const firstClientMs = 30_000;
const lingerMs = 5_000;
const idleInTransactionMs = 10_000;
const lockAttempts = 40;
const lockPauseMs = 250;

try {
  const folder = process.argv[2];
  if (folder === undefined) throw new Error("The folder of the database is missing.");
  const place = await openEmbeddedFolder(folder);
  const lock = await waitForLock(place);
  if (lock === undefined) process.exit(serverExitCodes.lockedByAnother);
  await serve(place);
} catch (error) {
  endBroken(error);
}

async function waitForLock({ folder, socketFile }: EmbeddedFolder): Promise<FolderLock | undefined> {
  // The holder may be on its way out; one that serves is what our client was looking for.
  for (let attempt = 0; attempt < lockAttempts; attempt++) {
    const taken = await takeFolderLock(folder);
    if (taken !== undefined) return taken;
    if (await acceptsConnections(socketFile)) return undefined;
    await new Promise((resolve) => setTimeout(resolve, lockPauseMs));
  }
  return undefined;
}

async function serve(place: EmbeddedFolder): Promise<void> {
  const db = await openData(place);
  const wire = createWireServer({
    executor: { execProtocolRaw: (message) => db.runExclusive(() => db.execProtocolRaw(message)) },
    idleInTransactionMs,
    onConnectionCount(count) {
      clearTimeout(exitTimer);
      if (count === 0) exitTimer = setTimeout(() => void end("the last client is gone"), lingerMs);
    },
    onBroken: endBroken,
  });
  let exitTimer = setTimeout(() => void end("nobody came"), firstClientMs);
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void end(signal));

  let isEnding = false;
  async function end(reason: string): Promise<void> {
    if (isEnding) return;
    isEnding = true;
    log(`ending: ${reason}`);
    await wire.stop();
    await db.close();
    await rm(place.pidFile, { force: true });
    process.exit(0);
  }

  // The lock is ours, so a socket file that is still there belongs to a server that was killed.
  await rm(place.socketFile, { force: true });
  await writeFile(place.pidFile, `${process.pid}\n`);
  process.umask(0o077);
  await new Promise<void>((resolve, reject) => {
    wire.server.once("error", reject);
    wire.server.listen(place.socketFile, resolve);
  });
  await chmod(place.socketFile, 0o600);
  log(`ready, process ${process.pid}`);
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

// PGlite's state is unknown by now. What was acknowledged is safe in the folder; the next client starts a fresh process.
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
