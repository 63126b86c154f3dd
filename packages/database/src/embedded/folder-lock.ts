import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";

/** An exclusive hold on a folder, kept by the kernel: it ends with the process, however that dies. */
export type FolderLock = { release(): Promise<void> };

/** Locks a folder for this process; undefined while another process holds it. */
export async function takeFolderLock(folder: string): Promise<FolderLock | undefined> {
  if (process.platform === "linux") return await bindAbstractSocket(folder);
  if (process.platform === "darwin" || process.platform === "freebsd") return await openExclusively(folder);
  throw new Error(
    `The embedded database does not run on ${process.platform}; set DATABASE_URL to a PostgreSQL server.`,
  );
}

// Node offers no flock. The name of an abstract socket can be bound once per machine, and vanishes with its process.
async function bindAbstractSocket(folder: string): Promise<FolderLock | undefined> {
  const { dev, ino } = await stat(folder, { bigint: true });
  const name = createHash("sha256").update(`${dev}:${ino}`).digest("hex").slice(0, 32);
  const server = createServer((socket) => socket.destroy());
  const isBound = await new Promise<boolean>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" ? resolve(false) : reject(error),
    );
    server.listen(`\0koma-database-${name}`, () => resolve(true));
  });
  if (!isBound) return undefined;
  server.unref();
  return { release: () => new Promise((resolve) => server.close(() => resolve())) };
}

// BSD kernels lock a file as they open it; Node knows no name for the flag.
const exclusiveLockFlag = 0x20;
// Node closes a file that nobody refers to when garbage is collected, and the lock would go with it.
const heldFiles = new Set<FileHandle>();

async function openExclusively(folder: string): Promise<FolderLock | undefined> {
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | exclusiveLockFlag;
  try {
    const file = await open(path.join(folder, "lock"), flags, 0o600);
    heldFiles.add(file);
    return {
      release() {
        heldFiles.delete(file);
        return file.close();
      },
    };
  } catch (error) {
    if (
      error instanceof Error &&
      "code" in error &&
      (error.code === "EAGAIN" || error.code === "EWOULDBLOCK")
    ) {
      return undefined;
    }
    throw error;
  }
}
