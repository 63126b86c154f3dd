import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, open, readFile, rename, stat } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { DatabaseUnavailableError } from "../errors.ts";
import { acceptsConnections } from "./accepts-connections.ts";
import { describeHolder } from "./generation-lock.ts";
import { serverExitCodes } from "./server-exit-codes.ts";
import type { ServerFolder } from "./server-folder.ts";

// A first start took 92 s on a machine with ten times more processes than cores.
const waitLimitMs = 180_000;
const pauseMs = 40;
const spawnLimit = 4;
const logLimitBytes = 1024 * 1024;

/** Resolves once the embedded server of this folder accepts connections; starts it when it does not run. */
export async function ensureServer(serverFolder: ServerFolder): Promise<void> {
  const deadline = Date.now() + waitLimitMs;
  let child: ChildProcess | undefined;
  let spawned = 0;
  while (!(await isServed(serverFolder))) {
    if (child?.exitCode === serverExitCodes.failed) {
      throw new DatabaseUnavailableError(
        `The embedded database did not start: ${await lastLogLine(serverFolder)}`,
      );
    }
    if (child?.exitCode === serverExitCodes.lockedByAnother && (await isUnreachable(serverFolder))) {
      throw new DatabaseUnavailableError(await explainLock(serverFolder));
    }
    if (Date.now() > deadline) {
      throw new DatabaseUnavailableError(
        `The embedded database did not respond within ${waitLimitMs / 1000} s; see ${serverFolder.logFile}.`,
      );
    }
    const isGone = child === undefined || child.exitCode !== null || child.signalCode !== null;
    if (isGone && spawned < spawnLimit) {
      child = await startServer(serverFolder);
      spawned += 1;
    }
    await pause(pauseMs);
  }
}

/** The file says that the server is ready; after it was killed, the socket says that it is gone. */
async function isServed({ pidFile, socketFile }: ServerFolder): Promise<boolean> {
  return existsSync(pidFile) && (await acceptsConnections(socketFile));
}

async function startServer(serverFolder: ServerFolder): Promise<ChildProcess> {
  await mkdir(serverFolder.folder, { recursive: true, mode: 0o700 });
  const { size } = await stat(serverFolder.logFile).catch(() => ({ size: 0 }));
  if (size > logLimitBytes)
    await rename(serverFolder.logFile, `${serverFolder.logFile}.old`).catch(() => undefined);
  const log = await open(serverFolder.logFile, "a", 0o600);
  try {
    const entry = fileURLToPath(new URL("./server.ts", import.meta.url));
    const child = spawn(process.execPath, [entry, serverFolder.folder], {
      cwd: serverFolder.folder,
      detached: true,
      stdio: ["ignore", log.fd, log.fd],
    });
    child.on("error", () => undefined);
    child.unref();
    return child;
  } finally {
    await log.close();
  }
}

/** Returns true when the holder of the lock serves other processes, but this process cannot connect. */
export async function isUnreachable(serverFolder: ServerFolder): Promise<boolean> {
  return existsSync(serverFolder.pidFile) && !(await acceptsConnections(serverFolder.socketFile));
}

/** The message of the error where the holder of the lock cannot be reached. */
export async function explainLock(serverFolder: ServerFolder): Promise<string> {
  const holder = await describeHolder(serverFolder.folder);
  const named = holder === undefined ? "another process" : `another process (${holder})`;
  return `The data folder ${path.dirname(serverFolder.folder)} is in use by ${named}, and its database cannot be reached from here. Stop that process, choose another KOMA_DATA_DIR, or share a PostgreSQL server with DATABASE_URL.`;
}

async function lastLogLine(serverFolder: ServerFolder): Promise<string> {
  const log = await readFile(serverFolder.logFile, "utf8").catch(() => "");
  const lines = log.split("\n").filter((line) => line.trim() !== "");
  return `${lines.at(-1) ?? "it wrote no message"} (see ${serverFolder.logFile})`;
}
