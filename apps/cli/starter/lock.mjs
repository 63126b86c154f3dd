import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Waits for the lock of that name among all processes of this machine and takes it. The kernel releases it
 * when the holder ends in any way, so there are no stale locks. A child that inherits `fd` holds it as well,
 * so a child that outlives a killed starter keeps the lock.
 * @param {string} name
 * @param {{ interruption: import("./types.d.ts").Interruption, waitingFor: string }} options
 * @returns {Promise<import("./types.d.ts").Lock>}
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

/**
 * Takes the lock of that name; undefined when another process holds it.
 * @param {string} name
 */
export async function tryLock(name) {
  const address = lockAddress(name);
  const lock = await listenOn(address);
  if (lock || process.platform === "linux" || process.platform === "win32") return lock;
  // On other systems the socket is a file that outlives its owner; a connection shows whether the owner runs.
  if (await isListening(address)) return undefined;
  rmSync(address, { force: true });
  return listenOn(address);
}

/** @param {string} name */
function lockAddress(name) {
  const id = `koma-${createHash("sha256").update(name).digest("hex").slice(0, 24)}`;
  if (process.platform === "linux") return `\0${id}`;
  if (process.platform === "win32") return `\\\\.\\pipe\\${id}`;
  return path.join(tmpdir(), `${id}.sock`);
}

/**
 * @param {string} address
 * @returns {Promise<import("./types.d.ts").Lock | undefined>}
 */
function listenOn(address) {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once("error", (/** @type {NodeJS.ErrnoException} */ error) =>
      error.code === "EADDRINUSE" ? resolve(undefined) : reject(error),
    );
    server.listen({ path: address }, () => {
      server.unref();
      // Node has no public access to the descriptor; without it the lock ends with its first holder.
      const { _handle } = /** @type {import("node:net").Server & { _handle?: { fd: number } }} */ (server);
      const fd = _handle !== undefined && _handle.fd > 0 ? _handle.fd : undefined;
      resolve({ fd, release: () => void server.close() });
    });
  });
}

/**
 * @param {string} address
 * @returns {Promise<boolean>}
 */
function isListening(address) {
  return new Promise((resolve) => {
    const socket = connect(address);
    const settle = (/** @type {boolean} */ isAlive) => {
      socket.destroy();
      resolve(isAlive);
    };
    socket.once("connect", () => settle(true));
    socket.once("error", () => settle(false));
  });
}
