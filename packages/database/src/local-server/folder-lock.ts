// The lock must hold between containers that share the data folder and differ in network, PID and host name
// namespace. It must end with its process after SIGKILL, and must last while the process is only stopped
// (SIGSTOP).
//
// - Node has no flock (fs API of Node 24), flock(1) is missing on macOS, and a native module needs a
//   compiler.
// - An abstract Unix socket belongs to one network namespace, so two containers bind the same name (unix(7),
//   network_namespaces(7)). PID files fail because each PID namespace has a process 7 of its own
//   (pid_namespaces(7)).
// - A Unix socket with a path is found by its inode (unix_find_bsd in Linux net/unix/af_unix.c), so it is
//   reachable from every namespace with the folder. After its process has exited, connect() returns
//   ECONNREFUSED at once; the kernel still accepts connections for a stopped process. Linux uses it:
//   generation-lock.ts.
// - BSD kernels lock a file with the flag O_EXLOCK of open(2). macOS has no namespaces. macOS and FreeBSD use
//   it.
//
// The processes of PostgreSQL inherit the socket or file, so the lock lasts until the last of them has ended,
// also when the process that took it was killed.
//
// Another kernel (a second machine or a virtual machine on the same folder) cannot connect to the process of
// the socket. There, and after a restart of the machine, a heartbeat decides.
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import path from "node:path";
import { type FolderLock, takeGenerationLock } from "./generation-lock.ts";

/** Locks a folder for this process; undefined while another process holds it. */
export async function takeFolderLock(folder: string): Promise<FolderLock | undefined> {
  if (process.platform === "linux") return await takeGenerationLock(folder);
  if (process.platform === "darwin" || process.platform === "freebsd") return await openExclusively(folder);
  throw new Error(
    `The embedded database does not run on ${process.platform}; set DATABASE_URL to a PostgreSQL server.`,
  );
}

// O_EXLOCK of BSD; Node has no name for the flag.
const exclusiveLockFlag = 0x20;
// Node closes a file without references at garbage collection, which would end the lock.
const heldFiles = new Set<FileHandle>();

async function openExclusively(folder: string): Promise<FolderLock | undefined> {
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | exclusiveLockFlag;
  try {
    const file = await open(path.join(folder, "lock"), flags, 0o600);
    heldFiles.add(file);
    return {
      fileDescriptor: file.fd,
      heartbeatFolder: undefined,
      isHeld: async () => true,
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
