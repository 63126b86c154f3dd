import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, open, readFile, rename, stat } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { DatabaseUnavailableError } from "../errors.ts";
import { acceptsConnections } from "./accepts-connections.ts";
import type { EmbeddedFolder } from "./embedded-folder.ts";
import { describeHolder } from "./generation-lock.ts";
import { serverExitCodes } from "./server-exit-codes.ts";

// A first start took 92 s on a machine with ten times more processes than cores.
const waitLimitMs = 180_000;
const pauseMs = 40;
const spawnLimit = 4;
const logLimitBytes = 1024 * 1024;

/** Resolves once the embedded server of this folder accepts connections; starts it when it does not run. */
export async function ensureServer(embeddedFolder: EmbeddedFolder): Promise<void> {
  const deadline = Date.now() + waitLimitMs;
  let child: ChildProcess | undefined;
  let spawned = 0;
  while (!(await acceptsConnections(embeddedFolder.socketFile))) {
    if (child?.exitCode === serverExitCodes.failed) {
      throw new DatabaseUnavailableError(
        `The embedded database did not start: ${await lastLogLine(embeddedFolder)}`,
      );
    }
    if (child?.exitCode === serverExitCodes.lockedByAnother && (await isUnreachable(embeddedFolder))) {
      throw new DatabaseUnavailableError(await explainLock(embeddedFolder));
    }
    if (Date.now() > deadline) {
      throw new DatabaseUnavailableError(
        `The embedded database did not respond within ${waitLimitMs / 1000} s; see ${embeddedFolder.logFile}.`,
      );
    }
    const isGone = child === undefined || child.exitCode !== null || child.signalCode !== null;
    if (isGone && spawned < spawnLimit) {
      child = await startServer(embeddedFolder);
      spawned += 1;
    }
    await pause(pauseMs);
  }
}

async function startServer(embeddedFolder: EmbeddedFolder): Promise<ChildProcess> {
  await mkdir(embeddedFolder.folder, { recursive: true, mode: 0o700 });
  const { size } = await stat(embeddedFolder.logFile).catch(() => ({ size: 0 }));
  if (size > logLimitBytes)
    await rename(embeddedFolder.logFile, `${embeddedFolder.logFile}.old`).catch(() => undefined);
  const log = await open(embeddedFolder.logFile, "a", 0o600);
  try {
    const entry = fileURLToPath(new URL("./server.ts", import.meta.url));
    const child = spawn(process.execPath, [entry, embeddedFolder.folder], {
      cwd: embeddedFolder.folder,
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
async function isUnreachable(embeddedFolder: EmbeddedFolder): Promise<boolean> {
  return existsSync(embeddedFolder.pidFile) && !(await acceptsConnections(embeddedFolder.socketFile));
}

async function explainLock(embeddedFolder: EmbeddedFolder): Promise<string> {
  const holder = await describeHolder(embeddedFolder.folder);
  const named = holder === undefined ? "another process" : `another process (${holder})`;
  return `The data folder ${path.dirname(embeddedFolder.folder)} is in use by ${named}, and its database cannot be reached from here. Stop that process, choose another KOMA_DATA_DIR, or share a PostgreSQL server with DATABASE_URL.`;
}

async function lastLogLine(embeddedFolder: EmbeddedFolder): Promise<string> {
  const log = await readFile(embeddedFolder.logFile, "utf8").catch(() => "");
  const lines = log.split("\n").filter((line) => line.trim() !== "");
  return `${lines.at(-1) ?? "it wrote no message"} (see ${embeddedFolder.logFile})`;
}
