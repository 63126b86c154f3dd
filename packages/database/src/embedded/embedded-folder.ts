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
  const embeddedFolder = await locateEmbeddedFolder(requestedPath);
  await openSocketFolder(embeddedFolder);
  return embeddedFolder;
}

/** Returns the paths in an existing folder; creates nothing. */
export async function locateEmbeddedFolder(existingPath: string): Promise<EmbeddedFolder> {
  const folder = await realpath(existingPath);
  const socketFolder = chooseSocketFolder(folder);
  return {
    folder,
    dataFolder: path.join(folder, "pg"),
    socketFolder,
    socketFile: path.join(socketFolder, `.s.PGSQL.${socketPort}`),
    logFile: path.join(folder, "server.log"),
    pidFile: path.join(folder, "server.pid"),
  };
}

function chooseSocketFolder(folder: string): string {
  if (Buffer.byteLength(path.join(folder, `.s.PGSQL.${socketPort}`)) <= socketPathLimitBytes) return folder;
  const hash = createHash("sha256").update(folder).digest("hex").slice(0, 16);
  return path.join(tmpdir(), `koma-${userId()}-${hash}`);
}

async function openSocketFolder({ folder, socketFolder }: EmbeddedFolder): Promise<void> {
  if (socketFolder === folder) return;
  await mkdir(socketFolder, { recursive: true, mode: 0o700 });
  // Other users can write to the temporary folder, so an existing folder could contain a foreign socket.
  const info = await lstat(socketFolder);
  if (!info.isDirectory() || info.uid !== userId() || (info.mode & 0o077) !== 0) {
    throw new Error(
      `${socketFolder} is accessible to other users; remove it, or use a data folder with a shorter path.`,
    );
  }
}

function userId(): number {
  return process.getuid?.() ?? 0;
}
