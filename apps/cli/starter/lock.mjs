import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Holds the lock of that name among all processes of this machine, waiting until it is free. The kernel frees it when the
 * holder dies in any way, so no stale lock ever has to be removed by hand. A child that inherits `fd` holds it too: one
 * that outlives a killed starter is still waited for.
 */
export async function holdLock(name, { interruption, waitingFor }) {
  let hasLogged = false;
  for (;;) {
    const lock = await tryLock(name);
    if (lock) return lock;
    if (!hasLogged) process.stderr.write(`Waiting for ${waitingFor} …\n`);
    hasLogged = true;
    await sleep(250, undefined, { signal: interruption.signal });
  }
}

/** Takes the lock of that name when it is free, else gives undefined. */
export async function tryLock(name) {
  const address = lockAddress(name);
  const lock = await listenOn(address);
  if (lock || process.platform === "linux" || process.platform === "win32") return lock;
  // Elsewhere the socket is a file that outlives its owner; nobody answers on a dead one.
  if (await isListening(address)) return undefined;
  rmSync(address, { force: true });
  return listenOn(address);
}

function lockAddress(name) {
  const id = `koma-${createHash("sha256").update(name).digest("hex").slice(0, 24)}`;
  if (process.platform === "linux") return `\0${id}`;
  if (process.platform === "win32") return `\\\\.\\pipe\\${id}`;
  return path.join(tmpdir(), `${id}.sock`);
}

function listenOn(address) {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once("error", (error) => (error.code === "EADDRINUSE" ? resolve(undefined) : reject(error)));
    server.listen({ path: address }, () => {
      server.unref();
      // Node has no public way to the descriptor; without it a lock merely ends with its first holder.
      resolve({ fd: server._handle?.fd > 0 ? server._handle.fd : undefined, release: () => server.close() });
    });
  });
}

function isListening(address) {
  return new Promise((resolve) => {
    const socket = connect(address);
    const settle = (isAlive) => {
      socket.destroy();
      resolve(isAlive);
    };
    socket.once("connect", () => settle(true));
    socket.once("error", () => settle(false));
  });
}
