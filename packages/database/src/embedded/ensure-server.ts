import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, open, readFile, rename, stat } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { DatabaseUnavailableError } from "../errors.ts";
import { acceptsConnections } from "./accepts-connections.ts";
import type { EmbeddedFolder } from "./embedded-folder.ts";
import { serverExitCodes } from "./server-exit-codes.ts";

const waitLimitMs = 60_000;
const pauseMs = 40;
const spawnLimit = 4;
const logLimitBytes = 1024 * 1024;

/** Resolves once the embedded server of this folder accepts connections, starting it when nobody else does. */
export async function ensureServer(place: EmbeddedFolder): Promise<void> {
  const deadline = Date.now() + waitLimitMs;
  let child: ChildProcess | undefined;
  let spawned = 0;
  while (!(await acceptsConnections(place.socketFile))) {
    if (child?.exitCode === serverExitCodes.failed) {
      throw new DatabaseUnavailableError(`The embedded database did not start: ${await lastLogLine(place)}`);
    }
    if (Date.now() > deadline) {
      throw new DatabaseUnavailableError(
        `The embedded database did not answer within ${waitLimitMs / 1000} s; see ${place.logFile}.`,
      );
    }
    const isGone = child === undefined || child.exitCode !== null || child.signalCode !== null;
    if (isGone && spawned < spawnLimit) {
      child = await startServer(place);
      spawned += 1;
    }
    await pause(pauseMs);
  }
}

async function startServer(place: EmbeddedFolder): Promise<ChildProcess> {
  await mkdir(place.folder, { recursive: true, mode: 0o700 });
  const { size } = await stat(place.logFile).catch(() => ({ size: 0 }));
  if (size > logLimitBytes) await rename(place.logFile, `${place.logFile}.old`).catch(() => undefined);
  const log = await open(place.logFile, "a", 0o600);
  try {
    const entry = fileURLToPath(new URL("./server.js", import.meta.url));
    const child = spawn(process.execPath, [entry, place.folder], {
      cwd: place.folder,
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

async function lastLogLine(place: EmbeddedFolder): Promise<string> {
  const log = await readFile(place.logFile, "utf8").catch(() => "");
  const lines = log.split("\n").filter((line) => line.trim() !== "");
  return `${lines.at(-1) ?? "it left no message"} (see ${place.logFile})`;
}
