import { createHash } from "node:crypto";
import { lstat, mkdir, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

/** Where the embedded database lives, and how it is reached. */
export type EmbeddedFolder = {
  /** Holds all below; private to the user. */
  folder: string;
  /** The data of PGlite; appears whole, by a rename. */
  dataFolder: string;
  /** pg takes the folder of a Unix socket as its host. */
  socketFolder: string;
  socketFile: string;
  logFile: string;
  pidFile: string;
};

/** The port that only names the socket file, as libpq and pg do. */
export const socketPort = 5432;

// sun_path holds 104 bytes on macOS and 108 on Linux, with its final zero.
const socketPathLimitBytes = 100;

/** Creates the private folder where it is missing, and names what belongs in it. */
export async function openEmbeddedFolder(requestedPath: string): Promise<EmbeddedFolder> {
  await mkdir(requestedPath, { recursive: true, mode: 0o700 });
  const folder = await realpath(requestedPath);
  const socketFolder = await chooseSocketFolder(folder);
  return {
    folder,
    dataFolder: path.join(folder, "pg"),
    socketFolder,
    socketFile: path.join(socketFolder, `.s.PGSQL.${socketPort}`),
    logFile: path.join(folder, "server.log"),
    pidFile: path.join(folder, "server.pid"),
  };
}

async function chooseSocketFolder(folder: string): Promise<string> {
  if (Buffer.byteLength(path.join(folder, `.s.PGSQL.${socketPort}`)) <= socketPathLimitBytes) return folder;
  const userId = process.getuid?.() ?? 0;
  const hash = createHash("sha256").update(folder).digest("hex").slice(0, 16);
  const fallback = path.join(tmpdir(), `koma-${userId}-${hash}`);
  await mkdir(fallback, { recursive: true, mode: 0o700 });
  // Others may write to the temporary folder: a folder that is not ours alone could hold another's socket.
  const info = await lstat(fallback);
  if (!info.isDirectory() || info.uid !== userId || (info.mode & 0o077) !== 0) {
    throw new Error(
      `${fallback} does not belong to this user alone; remove it, or use a shorter data folder.`,
    );
  }
  return fallback;
}
