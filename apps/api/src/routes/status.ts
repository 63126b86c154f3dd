import { getStatus } from "@koma/contract";
import type { Database } from "@koma/database";
import type { LibrarySearch } from "@koma/library";
import type { FastifyInstance } from "fastify";
import { registerEndpoint } from "../register-endpoint.ts";
import type { SearchQueue } from "../search/search-queue.ts";

/** Counting reads all episodes, and the endpoint is public. */
const refreshMs = 30_000;

/** `GET /api/status`. */
export function registerStatus(
  app: FastifyInstance,
  options: {
    database: Pick<Database, "libraryContents">;
    queue: SearchQueue;
    videoQueue: SearchQueue;
    getSearch: () => LibrarySearch | undefined;
    version: string;
  },
): void {
  const { database, queue, videoQueue, version } = options;
  let counted: { atMs: number; library: ReturnType<typeof countLibrary> } | undefined;

  registerEndpoint(app, getStatus, async () => {
    const atMs = performance.now();
    if (counted === undefined || atMs - counted.atMs > refreshMs) {
      counted = { atMs, library: countLibrary() };
    }
    const library = await counted.library.catch((error: unknown) => {
      counted = undefined;
      throw error;
    });
    const { running, waiting } = queue.status();
    return { version, library, searches: { running, waiting: waiting + videoQueue.status().waiting } };
  });

  async function countLibrary() {
    const [library, outdated = 0] = await Promise.all([
      database.libraryContents.count(),
      options.getSearch()?.countOutdated(),
    ]);
    return { ...library, outdated };
  }
}
