// Requires root: the tests create network, PID, host name and mount namespaces, as containers do.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { connectDatabase } from "@koma/database";
import { afterEach, beforeEach, expect, inject, it } from "vitest";
import { readPostgresPid, stopEmbedded } from "../testing/stop-embedded.ts";

const rowsPerContainer = 100;
const networks = [1, 2].map((number) => `koma-${process.pid}-${number}`);
const containers = new Set<ChildProcess>();
let root: string;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), "koma-containers-"));
  for (const network of networks) await run("ip", "netns", "add", network);
});

afterEach(async () => {
  for (const container of containers) await end(container);
  containers.clear();
  for (const network of networks) await run("ip", "netns", "delete", network);
  await rm(root, { recursive: true });
});

it("two containers that start together lose no acknowledged row", { timeout: 300_000 }, async () => {
  const dataDir = await copyPrepared("data");
  const both = networks.map((network) => startWriter({ network, dataDir }));
  const acknowledged = (await Promise.all(both.map(({ finished }) => finished))).flat();
  expect(acknowledged.length).toBe(2 * rowsPerContainer);
  // Both still run: one server opened the data, and both were its clients.
  const log = await readFile(path.join(dataDir, "database", "server.log"), "utf8");
  expect(log.match(/ready, process/g)).toHaveLength(1);
  for (const { container } of both) await end(container);
  expect(await findMissing(dataDir, acknowledged)).toEqual([]);
});

it("a new container takes the lock of a killed one immediately", { timeout: 300_000 }, async () => {
  const dataDir = await copyPrepared("data");
  const acknowledged: string[] = [];
  for (const network of [...networks, ...networks]) {
    const { container, finished } = startWriter({ network, dataDir });
    acknowledged.push(...(await finished));
    await end(container);
  }
  expect(acknowledged.length).toBe(4 * rowsPerContainer);
  // The start time of PostgreSQL depends on the machine; the lock must not add the 7 s of a missing heartbeat.
  const log = await readFile(path.join(dataDir, "database", "server.log"), "utf8");
  const waitsMs = [...log.matchAll(/locked after (\d+) ms/g)].map(([, waitMs]) => Number(waitMs));
  expect(waitsMs).toHaveLength(4);
  expect(Math.max(...waitsMs)).toBeLessThan(6_000);
  expect(await findMissing(dataDir, acknowledged)).toEqual([]);
});

it("a container that cannot connect to the database of another one names that one", {
  timeout: 300_000,
}, async () => {
  const dataDir = await copyPrepared("a".repeat(120));
  // The socket is in the temporary folder, because its path would be too long; each container has its own.
  const both = networks.map((network) => startWriter({ network, dataDir, tmpDir: path.join(root, network) }));
  const results = await Promise.all(both.map(({ finished }) => finished.catch(String)));
  expect(results.filter((result) => typeof result === "string")).toEqual([
    expect.stringMatching(
      /The data folder \S+ is in use by another process \(process \d+ on host koma-\d+-\d, since \S+Z\)/,
    ),
  ]);
  expect(results.find((result) => Array.isArray(result))).toHaveLength(rowsPerContainer);
});

it("PostgreSQL is shut down before the only process of a container ends", { timeout: 120_000 }, async () => {
  const dataDir = await copyPrepared("data");
  const script = `
    import { connectDatabase } from "@koma/database";
    const database = await connectDatabase({ dataDir: process.argv[1] });
    await database.ping();
    await database.close();
    process.exit(0);`;
  const node = [process.execPath, "--input-type=module", "--eval", script, dataDir];
  await run("unshare", "--pid", "--fork", "--kill-child", "--mount-proc", ...node);
  // PostgreSQL removes its file after the checkpoint; one that is killed leaves it.
  await expect(readPostgresPid(dataDir)).rejects.toThrow("ENOENT");
});

async function copyPrepared(name: string): Promise<string> {
  const data = path.join("database", "postgresql-18");
  await cp(path.join(inject("preparedDataDir"), data), path.join(root, name, data), { recursive: true });
  return path.join(root, name);
}

/** Runs write-anime.mjs in new namespaces; the writer stays after its last row. */
function startWriter(options: { network: string; dataDir: string; tmpDir?: string }) {
  const { network, dataDir, tmpDir } = options;
  const script = fileURLToPath(new URL("write-anime.mjs", import.meta.url));
  const inside = `hostname ${network}; mkdir -p "$TMPDIR"; "$@"`;
  const namespaces = ["--pid", "--fork", "--kill-child", "--mount-proc", "--uts", "--ipc"];
  const command = [process.execPath, script, dataDir, network, String(rowsPerContainer)];
  const container = spawn(
    "ip",
    ["netns", "exec", network, "unshare", ...namespaces, "sh", "-c", inside, "sh", ...command],
    { env: { ...process.env, TMPDIR: tmpDir ?? tmpdir() }, stdio: ["ignore", "pipe", "pipe"] },
  );
  containers.add(container);
  const acknowledged: string[] = [];
  let errors = "";
  const finished = new Promise<string[]>((resolve, reject) => {
    container.stderr.setEncoding("utf8").on("data", (text) => {
      errors += text;
    });
    let rest = "";
    container.stdout.setEncoding("utf8").on("data", (text) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (line === "done") resolve(acknowledged);
        else acknowledged.push(line);
      }
    });
    container.on("close", () => reject(new Error(errors)));
  });
  finished.catch(() => undefined);
  return { container, finished };
}

/**
 * Kills the first process of the container, after which the kernel kills all others in it
 * (pid_namespaces(7)). Its parent, "unshare", exits when the last of them has ended. The writer whose server is killed
 * ends by itself, also while its container is being killed.
 */
async function end(container: ChildProcess): Promise<void> {
  const { pid, exitCode, signalCode } = container;
  if (exitCode !== null || signalCode !== null) return;
  const ended = once(container, "exit");
  try {
    const first = Number(await readFile(`/proc/${pid}/task/${pid}/children`, "utf8"));
    if (first > 0) process.kill(first, "SIGKILL");
  } catch (error) {
    if (!["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
  await ended;
}

async function findMissing(dataDir: string, acknowledged: string[]): Promise<string[]> {
  const database = await connectDatabase({ dataDir });
  try {
    const present = new Set((await database.anime.findMany(acknowledged)).map(({ id }) => id));
    return acknowledged.filter((id) => !present.has(id));
  } finally {
    await database.close();
    // Every container has exited, so the process id is that of this namespace.
    await stopEmbedded(dataDir);
  }
}

async function run(command: string, ...args: string[]): Promise<void> {
  const child = spawn(command, args, { stdio: ["ignore", "ignore", "inherit"] });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} exited with ${code}; these tests need root.`);
}
