import { createHash } from "node:crypto";
import { lstat, mkdir, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

/** The paths of the embedded database. */
export type EmbeddedFolder = {
  /** Contains all other paths; private to the user. */
  folder: string;
  /** The data of PGlite; a rename creates it as a whole. */
  dataFolder: string;
  /** pg takes the folder of a Unix socket as its host name. */
  socketFolder: string;
  socketFile: string;
  logFile: string;
  pidFile: string;
};

/** The port in the name of the socket file, as libpq and pg build it. */
export const socketPort = 5432;

// sun_path has 104 bytes on macOS and 108 on Linux, including the final zero.
const socketPathLimitBytes = 100;

/** Creates the private folder when it is missing, and returns its paths. */
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
  // Other users can write to the temporary folder, so an existing folder could contain a foreign socket.
  const info = await lstat(fallback);
  if (!info.isDirectory() || info.uid !== userId || (info.mode & 0o077) !== 0) {
    throw new Error(
      `${fallback} is accessible to other users; remove it, or use a data folder with a shorter path.`,
    );
  }
  return fallback;
}
