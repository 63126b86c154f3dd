import pg from "pg";
import type { EmbeddedFolder } from "./embedded-folder.ts";
import { ensureServer } from "./ensure-server.ts";

/** A pg client class for a pool; connecting starts the embedded server when it does not run. */
export function createEmbeddedClient(embeddedFolder: EmbeddedFolder): typeof pg.Client {
  return class EmbeddedClient extends pg.Client {
    override connect(): Promise<pg.Client>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
      const isServed = ensureServer(embeddedFolder);
      if (callback === undefined) return isServed.then(() => super.connect());
      isServed.then(() => super.connect(callback), callback);
      return undefined;
    }
  };
}
