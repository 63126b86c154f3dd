import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { hostname } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { heartbeatFile, isLatestGeneration, listGenerations } from "./lock-generations.ts";

/** An exclusive lock on a folder; it ends with the processes that hold it, SIGKILL included. */
export type FolderLock = {
  /** The number of an open file. Child processes that inherit it hold the lock too. */
  fileDescriptor: number;
  /** The folder for the heartbeat; undefined where the kernel needs none. */
  heartbeatFolder: string | undefined;
  /**
   * Returns true while this process holds the folder; false after a pause during which another machine took it, and
   * after the folder was deleted.
   */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
};

/**
 * Locks a folder by a listening Unix socket in `holders/<generation>/`; the holder is the process of the
 * highest generation.
 *
 * A process that finds the highest generation n without a running holder prepares a draft folder with a
 * listening socket and renames it to n + 1. rename(2) fails when a folder with content has this name, so one
 * of several processes gets n + 1, and its socket accepts connections immediately. A folder of a generation
 * is never empty and the highest one is never removed, so numbers only rise. A process that was delayed
 * before its rename can still create a low generation that was removed as old; it then finds a higher one and
 * gives up. A generation above that of a running holder cannot exist, because its creator would have found
 * that holder running.
 */
export async function takeGenerationLock(folder: string): Promise<FolderLock | undefined> {
  const holders = path.join(folder, "holders");
  await mkdir(holders, { recursive: true, mode: 0o700 });
  const latest = (await listGenerations(holders)).at(-1) ?? 0;
  if (latest > 0 && (await isHeldByOther(holders, String(latest)))) return undefined;

  const own = path.join(holders, String(latest + 1));
  const opened = await openDraft(holders);
  if (opened === undefined) return undefined;
  const { draft, server } = opened;
  if (!(await renameToFree(draft, own)) || !(await isLatestGeneration(own)) || !(await isComplete(own))) {
    await closeServer(server);
    await rm(draft, { recursive: true, force: true });
    return undefined;
  }
  await removeOld(holders, latest + 1);
  server.unref();
  return {
    fileDescriptor: readDescriptor(server),
    heartbeatFolder: own,
    async isHeld() {
      return await isLatestGeneration(own).catch((error: unknown) => {
        if (isMissing(error)) return false;
        throw error;
      });
    },
    async release() {
      // Without the record the generation counts as released, and this file keeps its folder from being
      // empty.
      await writeFile(path.join(own, "released"), "");
      await rm(path.join(own, recordFile), { force: true });
      await closeServer(server);
      await rm(path.join(own, socketName), { force: true });
    },
  };
}

/** A description of the current or last holder for error messages; undefined when it is unknown. */
export async function describeHolder(folder: string): Promise<string | undefined> {
  const holders = path.join(folder, "holders");
  const latest = (await listGenerations(holders).catch(() => [])).at(-1);
  const record = latest === undefined ? undefined : await readRecord(path.join(holders, String(latest)));
  if (record === undefined) return undefined;
  return `process ${record.pid} on host ${record.host}, since ${record.since}`;
}

/** Returns true when another process holds the lock of a folder; creates nothing. */
export async function isGenerationLocked(folder: string): Promise<boolean> {
  const holders = path.join(folder, "holders");
  const latest = (await listGenerations(holders).catch(() => [])).at(-1);
  return latest !== undefined && (await isHeldByOther(holders, String(latest)));
}

type HolderRecord = { pid: number; host: string; since: string; bootId: string | undefined };

const socketName = "alive";
const recordFile = "holder.json";
// Some older generations stay, so that a directory listing during several takeovers contains at least one.
const retainedGenerations = 8;
// sun_path has 108 bytes including the final zero (unix(7)).
const socketPathLimitBytes = 100;
// The holder writes every 2 s (lock-generations.ts); three missed ones in a row mean that it has exited.
const silenceLimitMs = 7_000;
const watchPauseMs = 250;

async function isHeldByOther(holders: string, generation: string): Promise<boolean> {
  if (await hasReply(holders, generation)) return true;
  const folder = path.join(holders, generation);
  const record = await readRecord(folder);
  if (record === undefined) return false;
  // The same kernel refused the connection, so the process has exited.
  if (record.bootId !== undefined && record.bootId === (await readBootId())) return false;
  const readBeat = () => readFile(path.join(folder, heartbeatFile), "utf8").catch(() => "");
  const firstBeat = await readBeat();
  const deadlineMs = performance.now() + silenceLimitMs;
  while (performance.now() < deadlineMs) {
    await pause(watchPauseMs);
    if ((await readBeat()) !== firstBeat) return true;
  }
  return false;
}

/**
 * Returns a draft folder with a listening socket and the record; undefined when a faster holder removed it.
 */
async function openDraft(holders: string): Promise<{ draft: string; server: Server } | undefined> {
  const name = `draft-${randomBytes(8).toString("hex")}`;
  const draft = path.join(holders, name);
  const record: HolderRecord = {
    pid: process.pid,
    host: hostname(),
    since: new Date().toISOString(),
    bootId: await readBootId(),
  };
  await mkdir(draft, { mode: 0o700 });
  const server = createServer((socket) => socket.destroy());
  try {
    await writeFile(path.join(draft, recordFile), JSON.stringify(record), { mode: 0o600 });
    await withSocketPath(holders, path.join(name, socketName), (socketPath) => listen(server, socketPath));
    return { draft, server };
  } catch (error) {
    if (!existsSync(draft)) return undefined;
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

// Node has no public name for it, and passes sockets that it reads to child processes, but no listening ones.
function readDescriptor(server: Server): number {
  const { fd } = (server as unknown as { _handle: { fd: number } })._handle;
  if (!(fd >= 0)) throw new Error("The socket of the lock has no file descriptor.");
  return fd;
}

function listen(server: Server, socketPath: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(
        new Error(
          `The file system of the data folder does not support Unix sockets (${error.code}); use a folder on a local disk, or set DATABASE_URL.`,
          { cause: error },
        ),
      ),
    );
    server.listen(socketPath, resolve);
  });
}

async function hasReply(holders: string, generation: string): Promise<boolean> {
  return await withSocketPath(holders, path.join(generation, socketName), (socketPath) => {
    return new Promise<boolean>((resolve, reject) => {
      const socket = connect(socketPath);
      socket.once("connect", () => {
        socket.destroy();
        resolve(true);
      });
      socket.once("error", (error: NodeJS.ErrnoException) => {
        if (error.code === "ECONNREFUSED" || error.code === "ENOENT") resolve(false);
        // EAGAIN: the queue of a stopped holder is full. ECONNRESET: the holder has just exited; the next
        // attempt decides.
        else if (error.code === "EAGAIN" || error.code === "ECONNRESET") resolve(true);
        else reject(error);
      });
    });
  });
}

/**
 * Calls `use` with a socket path below the length limit; /proc/self/fd gives a folder a short path (proc(5)).
 */
async function withSocketPath<Result>(
  folder: string,
  name: string,
  use: (socketPath: string) => Promise<Result>,
): Promise<Result> {
  const whole = path.join(folder, name);
  if (Buffer.byteLength(whole) <= socketPathLimitBytes) return await use(whole);
  const handle = await open(folder, "r");
  try {
    return await use(`/proc/self/fd/${handle.fd}/${name}`);
  } finally {
    await handle.close();
  }
}

/** Renames a folder; returns false when the target exists, or when a faster holder has removed the draft. */
async function renameToFree(draft: string, target: string): Promise<boolean> {
  try {
    await rename(draft, target);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && lostRaceCodes.has(String(error.code))) return false;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

const lostRaceCodes = new Set(["ENOTEMPTY", "EEXIST", "ENOENT"]);

/** Returns true when all parts exist; another holder can remove parts of the draft before its rename. */
async function isComplete(folder: string): Promise<boolean> {
  const parts = [socketName, recordFile].map((name) => stat(path.join(folder, name)));
  return (await Promise.allSettled(parts)).every(({ status }) => status === "fulfilled");
}

/** Removes old generations and the drafts of other processes, which did not get the lock. */
async function removeOld(holders: string, own: number): Promise<void> {
  for (const name of await readdir(holders)) {
    if (name.startsWith("draft-") || Number(name) <= own - retainedGenerations) {
      await rm(path.join(holders, name), { recursive: true, force: true }).catch(() => undefined);
    }
  }
}

async function readRecord(folder: string): Promise<HolderRecord | undefined> {
  let text: string;
  try {
    text = await readFile(path.join(folder, recordFile), "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  try {
    return JSON.parse(text);
  } catch {
    // A power failure can leave the file empty; then the holder counts as one of an unknown machine.
    return { pid: 0, host: "unknown", since: "unknown", bootId: undefined };
  }
}

/**
 * An id that differs between machines, virtual machines and restarts, and is equal in all containers of one
 * kernel (random(4)).
 */
async function readBootId(): Promise<string | undefined> {
  const text = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => "");
  return text.trim() || undefined;
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
