import { execFileSync } from "node:child_process";
import { chownSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

/** A server of a temporary cluster. */
export type TestServer = { url: string; start(): void; stop(): void };

/** Starts a primary and streaming replicas of it in a temporary folder, which `remove` deletes. */
export async function startReplication(
  programs: string,
  replicaCount: number,
): Promise<{ primary: TestServer; replicas: TestServer[]; remove(): Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), "koma-replicas-"));
  const account = findAccount();
  if (account !== undefined) chownSync(folder, account.uid, account.gid);
  const run = (program: string, ...options: string[]) =>
    execFileSync(path.join(programs, program), options, {
      cwd: folder,
      stdio: ["ignore", "ignore", "inherit"],
      timeout: 60_000,
      ...account,
    });
  const dataOf = (number: number) => path.join(folder, `data-${number}`);
  const portOf = (number: number) => 5432 + number;

  function describe(number: number): TestServer {
    const settings = `-c port=${portOf(number)} -c listen_addresses='' -c unix_socket_directories='${folder}'
      -c fsync=off -c shared_buffers=16MB -c max_connections=40 -c dynamic_shared_memory_type=mmap`;
    return {
      url: `postgresql://koma@localhost:${portOf(number)}/postgres?host=${folder}`,
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
    };
  }

  const started: TestServer[] = [];
  const remove = async () => {
    for (const server of started) {
      try {
        server.stop();
      } catch {
        // A test has stopped it.
      }
    }
    await rm(folder, { recursive: true, force: true });
  };
  try {
    run(
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
        run("pg_basebackup", ...source, "-D", dataOf(number), "-R", "-c", "fast", "--no-sync");
      }
      const server = describe(number);
      server.start();
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
