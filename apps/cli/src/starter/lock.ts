import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Interruption, Lock } from "./types.ts";

/**
 * Waits for the lock of that name among all processes of this machine and takes it. The kernel releases it
 * when the holder ends in any way, so there are no stale locks. A child that inherits `fd` holds it as well,
 * so a child that outlives a killed starter keeps the lock.
 */
export async function holdLock(
  name: string,
  { interruption, waitingFor }: { interruption: Interruption; waitingFor: string },
): Promise<Lock> {
  let hasLogged = false;
  for (;;) {
    const lock = await tryLock(name);
    if (lock) return lock;
    if (!hasLogged) process.stderr.write(`Waiting for ${waitingFor} …\n`);
    hasLogged = true;
    await sleep(250, undefined, { signal: interruption.signal });
  }
}

/**
 * Takes the lock of that name; undefined when another process holds it.
 */
export async function tryLock(name: string): Promise<Lock | undefined> {
  const address = lockAddress(name);
  const lock = await listenOn(address);
  if (lock || process.platform === "linux" || process.platform === "win32") return lock;
  // On other systems the socket is a file that outlives its owner; a connection shows whether the owner runs.
  if (await isListening(address)) return undefined;
  rmSync(address, { force: true });
  return listenOn(address);
}

function lockAddress(name: string): string {
  const id = `koma-${createHash("sha256").update(name).digest("hex").slice(0, 24)}`;
  if (process.platform === "linux") return `\0${id}`;
  if (process.platform === "win32") return `\\\\.\\pipe\\${id}`;
  return path.join(tmpdir(), `${id}.sock`);
}

function listenOn(address: string): Promise<Lock | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" ? resolve(undefined) : reject(error),
    );
    server.listen({ path: address }, () => {
      server.unref();
      // Node has no public access to the descriptor; without it the lock ends with its first holder.
      const { _handle } = server as Server & { _handle?: { fd: number } };
      const fd = _handle !== undefined && _handle.fd > 0 ? _handle.fd : undefined;
      resolve({ fd, release: () => void server.close() });
    });
  });
}

function isListening(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address);
    const settle = (isAlive: boolean) => {
      socket.destroy();
      resolve(isAlive);
    };
    socket.once("connect", () => settle(true));
    socket.once("error", () => settle(false));
  });
}
