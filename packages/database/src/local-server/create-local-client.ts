import pg from "pg";
import { ensureServer } from "./ensure-server.ts";
import type { ServerFolder } from "./server-folder.ts";

/** A pg client class for a pool; connecting starts the embedded server when it does not run. */
export function createLocalClient(serverFolder: ServerFolder): typeof pg.Client {
  return class LocalClient extends pg.Client {
    override connect(): Promise<pg.Client>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
      const isServed = ensureServer(serverFolder);
      if (callback === undefined) return isServed.then(() => super.connect());
      isServed.then(() => super.connect(callback), callback);
      return undefined;
    }
  };
}
