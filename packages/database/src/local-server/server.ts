// Entry of the embedded database server, the only process that starts PostgreSQL on the data. ensure-server.ts
// starts it with the folder as its argument. It exits after its last client disconnects.
import { existsSync } from "node:fs";
import { lchown, readdir, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { inspect } from "node:util";
import { type Account, chooseAccount } from "./accounts.ts";
import type { FolderLock } from "./generation-lock.ts";
import { holdFolder } from "./hold-folder.ts";
import { createData, startPostgres } from "./postgres.ts";
import { openPrograms } from "./programs.ts";
import { serverExitCodes } from "./server-exit-codes.ts";
import { openServerFolder, type ServerFolder } from "./server-folder.ts";

const firstClientMs = 30_000;
// The next command of a script is then served without another start.
const lingerMs = 5_000;

try {
  const folder = process.argv[2];
  if (folder === undefined) throw new Error("The folder of the database is missing.");
  const serverFolder = await openServerFolder(folder);
  const startedMs = performance.now();
  const lock = await holdFolder(serverFolder, () =>
    // PostgreSQL ends with this process.
    endBroken(
      new Error("The data folder was deleted, or another process took it while this one was paused."),
    ),
  );
  if (lock === undefined) process.exit(serverExitCodes.lockedByAnother);
  log(`locked after ${Math.round(performance.now() - startedMs)} ms`);
  await serve(serverFolder, lock);
} catch (error) {
  endBroken(error);
}

async function serve(serverFolder: ServerFolder, lock: FolderLock): Promise<void> {
  const { folder, dataFolder, socketFolder, pidFile } = serverFolder;
  // A server that was killed left it.
  await rm(pidFile, { force: true });
  const userFolder = path.dirname(folder);
  const account = await chooseAccount(dataFolder, userFolder);
  const linksFolder = path.join(folder, "libraries");
  if (!existsSync(dataFolder)) await createData({ dataFolder, linksFolder, account, lock });
  // PostgreSQL needs access to the folder of its links, which the owner may create again later.
  await shareWithOwner(serverFolder, userFolder, account);
  const programs = await openPrograms(account, linksFolder);
  await shareWithOwner(serverFolder, userFolder, account);

  let isEnding = false;
  let exitTimer: NodeJS.Timeout | undefined;
  let isEndRequested = false;
  const postgres = await startPostgres({
    ...{ dataFolder, account, programs, lock },
    socketFolder,
    log,
    onSessions(count) {
      clearTimeout(exitTimer);
      if (count > 0) return;
      const delayMs = isEndRequested ? 0 : lingerMs;
      exitTimer = setTimeout(() => void end("the last client has disconnected"), delayMs);
    },
    onEndRequest() {
      isEndRequested = true;
    },
  });
  void postgres.ended.then((reason) => {
    if (!isEnding) endBroken(new Error(reason));
  });
  exitTimer ??= setTimeout(() => void end("no client has connected"), firstClientMs);
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void end(signal));

  async function end(reason: string): Promise<void> {
    if (isEnding) return;
    isEnding = true;
    log(`ending: ${reason}`);
    await rm(pidFile, { force: true });
    await postgres.stop("fast");
    await lock.release();
    process.exit(0);
  }

  // Clients wait for this file, because PostgreSQL accepts connections before it can serve them.
  await writeFile(pidFile, `${process.pid}\n`);
  log(`ready, process ${process.pid}`);
}

/** Lets the owner of the data folder start the server later, when root starts it now. */
async function shareWithOwner({ folder }: ServerFolder, userFolder: string, account: Account): Promise<void> {
  const { uid, gid } = await stat(userFolder);
  if (account.kind !== "switched" || account.userId !== uid) return;
  const holders = path.join(folder, "holders");
  const generations = (await readdir(holders).catch(() => [])).map((name) => path.join(holders, name));
  const files = ["holders", "libraries", "server.log"].map((name) => path.join(folder, name));
  for (const file of [folder, ...files, ...generations]) await lchown(file, uid, gid).catch(() => undefined);
}

// Acknowledged writes are in the folder; the next client starts a new process.
function endBroken(error: unknown): never {
  log(inspect(error));
  log(`broken: ${error instanceof Error ? error.message.split("\n")[0] : inspect(error)}`);
  process.exit(serverExitCodes.failed);
}

function log(line: string): void {
  process.stdout.write(`${new Date().toISOString()} ${line}\n`);
}
