import { readFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { DatabaseLostError } from "../errors.ts";
import { ensureServer } from "./ensure-server.ts";
import type { ServerFolder } from "./server-folder.ts";

/**
 * Starts the embedded server when it does not run, and returns a pg client class for a pool: connecting starts the
 * server again. When the folder has lost this database, connecting throws DatabaseLostError instead of creating
 * another one, and `onLog` gets its message once.
 */
export async function createLocalClient(
  serverFolder: ServerFolder,
  onLog: (message: string) => void,
): Promise<typeof pg.Client> {
  await ensureServer(serverFolder);
  const identifier = await readIdentifier(serverFolder);
  let isLost = false;
  async function ensureSameServer(): Promise<void> {
    const found = await readIdentifier(serverFolder).catch(() => undefined);
    const wasLost = isLost;
    isLost = found !== identifier;
    if (!isLost) return await ensureServer(serverFolder);
    const error = new DatabaseLostError(explainLoss(serverFolder));
    if (!wasLost) onLog(error.message);
    throw error;
  }
  return class LocalClient extends pg.Client {
    override connect(): Promise<pg.Client>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
      const isServed = ensureSameServer();
      if (callback === undefined) return isServed.then(() => super.connect());
      isServed.then(() => super.connect(callback), callback);
      return undefined;
    }
  };
}

/** The number that initdb gives a database: the first eight bytes of its control file (pg_control.h). */
async function readIdentifier({ dataFolder }: ServerFolder): Promise<string> {
  const control = await readFile(path.join(dataFolder, "global", "pg_control"));
  return control.toString("hex", 0, 8);
}

function explainLoss({ dataFolder }: ServerFolder): string {
  return `The database in ${dataFolder} was deleted or replaced while Koma was running. Put the folder back, or stop Koma, restore a backup with \`koma restore\`, and start Koma; without a backup, a start creates an empty database.`;
}
