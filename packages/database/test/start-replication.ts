import { execFile, execFileSync } from "node:child_process";
import { chownSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** A server of a temporary cluster. */
export type TestServer = {
  url: string;
  socketFile: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Ends the server as a crash does. */
  kill(): void;
  isRunning(): Promise<boolean>;
};

/**
 * Starts a primary and streaming replicas of it in a temporary folder below `parent`, which `remove` deletes.
 */
export async function startReplication(
  programs: string,
  replicaCount: number,
  parent = tmpdir(),
): Promise<{ primary: TestServer; replicas: TestServer[]; remove(): Promise<void> }> {
  const folder = await mkdtemp(path.join(parent, "koma-replicas-"));
  const account = findAccount();
  if (account !== undefined) chownSync(folder, account.uid, account.gid);
  const run = async (program: string, ...options: string[]): Promise<void> => {
    await execute(path.join(programs, program), options, { cwd: folder, timeout: 60_000, ...account });
  };
  const dataOf = (number: number) => path.join(folder, `data-${number}`);
  const portOf = (number: number) => 5432 + number;

  function describe(number: number): TestServer {
    const settings = `-c port=${portOf(number)} -c listen_addresses='' -c unix_socket_directories='${folder}'
      -c fsync=off -c shared_buffers=16MB -c max_connections=40 -c dynamic_shared_memory_type=mmap`;
    return {
      url: `postgresql://koma@localhost:${portOf(number)}/postgres?host=${folder}`,
      socketFile: path.join(folder, `.s.PGSQL.${portOf(number)}`),
      start: () =>
        run(
          "pg_ctl",
          "-D",
          dataOf(number),
          "-w",
          "-l",
          `log-${number}`,
          "-o",
          settings.replace(/\s+/g, " "),
          "start",
        ),
      stop: () => run("pg_ctl", "-D", dataOf(number), "-m", "immediate", "stop"),
      kill() {
        const [pid] = readFileSync(path.join(dataOf(number), "postmaster.pid"), "utf8").split("\n");
        process.kill(Number(pid), "SIGKILL");
      },
      isRunning: () =>
        run("pg_ctl", "-D", dataOf(number), "status").then(
          () => true,
          () => false,
        ),
    };
  }

  const started: TestServer[] = [];
  const remove = async () => {
    for (const server of started) {
      // A test may have stopped it.
      await server.stop().catch(() => {});
    }
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await run(
      "initdb",
      "-D",
      dataOf(0),
      "-U",
      "koma",
      "--auth=trust",
      "-E",
      "UTF8",
      "--locale=C.UTF-8",
      "--no-sync",
    );
    for (let number = 0; number <= replicaCount; number++) {
      if (number > 0) {
        const source = ["-h", folder, "-p", String(portOf(0)), "-U", "koma"];
        await run("pg_basebackup", ...source, "-D", dataOf(number), "-R", "-c", "fast", "--no-sync");
      }
      const server = describe(number);
      await server.start();
      started.push(server);
    }
  } catch (error) {
    await remove();
    throw error;
  }
  const [primary, ...replicas] = started;
  if (primary === undefined) throw new Error("There is no primary.");
  return { primary, replicas, remove };
}

/** PostgreSQL refuses to run as root, so root starts it as the user that its package creates. */
function findAccount(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const read = (option: string) => Number(execFileSync("id", [option, "postgres"], { encoding: "utf8" }));
  return { uid: read("-u"), gid: read("-g") };
}
