import { createHash } from "node:crypto";
import { lstat, mkdir, realpath, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

/** The paths of the embedded database. */
export type ServerFolder = {
  /** Contains all other paths; private to the user. */
  folder: string;
  /** The data of PostgreSQL; a rename creates it as a whole. A newer major version has another name. */
  dataFolder: string;
  /** pg takes the folder of a Unix socket as its host name. */
  socketFolder: string;
  socketFile: string;
  logFile: string;
  /** Exists while the server accepts connections; contains the process id of server.ts. */
  pidFile: string;
};

/** The port in the name of the socket file, as libpq and pg build it. */
export const socketPort = 5432;

// sun_path has 104 bytes on macOS and 108 on Linux, including the final zero.
const socketPathLimitBytes = 100;

/** Creates the private folder when it is missing, and returns its paths. */
export async function openServerFolder(requestedPath: string): Promise<ServerFolder> {
  await mkdir(requestedPath, { recursive: true, mode: 0o700 });
  const serverFolder = await locateServerFolder(requestedPath);
  await openSocketFolder(serverFolder);
  return serverFolder;
}

/** Returns the paths in an existing folder; creates nothing. */
export async function locateServerFolder(existingPath: string): Promise<ServerFolder> {
  const folder = await realpath(existingPath);
  return {
    folder,
    dataFolder: path.join(folder, "postgresql-18"),
    ...chooseSocket(path.join(folder, "postgresql-18")),
    logFile: path.join(folder, "server.log"),
    pidFile: path.join(folder, "server.pid"),
  };
}

/**
 * The socket of a data folder is in this folder, which PostgreSQL keeps private. When its path is too long, it
 * is in a private folder in the folder for temporary files.
 */
export function chooseSocket(dataFolder: string): Pick<ServerFolder, "socketFolder" | "socketFile"> {
  const name = `.s.PGSQL.${socketPort}`;
  if (Buffer.byteLength(path.join(dataFolder, name)) <= socketPathLimitBytes) {
    return { socketFolder: dataFolder, socketFile: path.join(dataFolder, name) };
  }
  const hash = createHash("sha256").update(dataFolder).digest("hex").slice(0, 16);
  const socketFolder = path.join(tmpdir(), `koma-${userId()}-${hash}`);
  return { socketFolder, socketFile: path.join(socketFolder, name) };
}

/** Creates the folder of the socket where it is not the data folder. */
export async function openSocketFolder(
  served: Pick<ServerFolder, "dataFolder" | "socketFolder">,
): Promise<void> {
  const { dataFolder, socketFolder } = served;
  if (socketFolder === dataFolder) return;
  await mkdir(socketFolder, { recursive: true, mode: 0o700 });
  // Other users can write to the temporary folder, so an existing folder could contain a foreign socket.
  const info = await lstat(socketFolder);
  // A server that root starts can have another user, who owns the data.
  const server = await stat(dataFolder).catch(() => undefined);
  const isOurs = info.uid === userId() || (userId() === 0 && info.uid === server?.uid);
  if (!info.isDirectory() || !isOurs || (info.mode & 0o077) !== 0) {
    throw new Error(
      `${socketFolder} is accessible to other users; remove it, or use a data folder with a shorter path.`,
    );
  }
}

function userId(): number {
  return process.getuid?.() ?? 0;
}
