import { openSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { chooseAccount } from "../../src/local-server/accounts.ts";
import { createData, startPostgres } from "../../src/local-server/postgres.ts";
import { openPrograms } from "../../src/local-server/programs.ts";
import { socketPort } from "../../src/local-server/server-folder.ts";

/** A PostgreSQL of a test. It ends with its process, also when that is killed. */
export type TestServer = {
  /** The address of its administrator. */
  url: string;
  socketFile: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Ends the server as a crash does. */
  kill(): Promise<void>;
  isRunning(): boolean;
};

/** Creates the data of servers of tests in a temporary folder, which `remove` deletes, and starts none. */
export async function openTestServers(parent = tmpdir()) {
  const folder = await mkdtemp(path.join(parent, "koma-server-"));
  const dataFolder = path.join(folder, "data");
  const account = await chooseAccount(dataFolder, folder);
  const linksFolder = path.join(folder, "libraries");
  // No other process uses the folder, so the lock is any open file.
  const lock = { fileDescriptor: openSync("/dev/null", "r") };
  await createData({ dataFolder, linksFolder, account, lock });
  const found = await openPrograms(account, linksFolder);
  // The clock of a run of CI at another date (libfaketime).
  const clock = Object.entries(process.env).filter(([name]) => /^(LD_PRELOAD|.*FAKE.*)$/.test(name));
  const programs = { ...found, env: { ...Object.fromEntries(clock), ...found.env } };
  const opened = { account, programs, lock };
  return {
    folder,
    dataFolder,
    /** A server on the data or on a copy of them, without flushes; `settings` add to those of the product. */
    describe(data = dataFolder, settings: { [name: string]: string } = {}): TestServer {
      let running: Awaited<ReturnType<typeof startPostgres>> | undefined;
      const lines: string[] = [];
      const { port = String(socketPort) } = settings;
      return {
        url: `postgresql://postgres@localhost:${port}/postgres?host=${data}`,
        socketFile: path.join(data, `.s.PGSQL.${port}`),
        async start() {
          const started = await startPostgres({
            ...opened,
            dataFolder: data,
            socketFolder: data,
            log: (line) => lines.push(line),
            settings: { fsync: "off", max_connections: "300", ...settings },
          }).catch((error: unknown) => {
            throw new Error(lines.join("\n"), { cause: error });
          });
          running = started;
          void started.ended.then(() => {
            if (running === started) running = undefined;
          });
        },
        async stop() {
          await running?.stop("immediate");
        },
        async kill() {
          const ended = running?.ended;
          const [pid] = (await readFile(path.join(data, "postmaster.pid"), "utf8")).split("\n");
          process.kill(Number(pid), "SIGKILL");
          await ended;
        },
        isRunning: () => running !== undefined,
      };
    },
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }),
  };
}
