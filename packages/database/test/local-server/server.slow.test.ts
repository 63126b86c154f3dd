import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import {
  connectDatabase,
  type Database,
  DatabaseLostError,
  DatabaseUnavailableError,
  inspectDatabase,
} from "@koma/database";
import { afterEach, describe, expect, it, vi } from "vitest";
import { takeFolderLock } from "../../src/local-server/folder-lock.ts";
import { openServerFolder } from "../../src/local-server/server-folder.ts";
import { makeEpisode } from "../make-episode.ts";
import { copyPreparedFolder, embeddedConnection } from "../open-test-database.ts";
import {
  isRunning,
  readPostgresPid,
  readServerPid,
  sendSignal,
  stopEmbedded,
} from "../testing/stop-embedded.ts";

describe("embedded server", () => {
  const cleanups: (() => Promise<unknown>)[] = [];

  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  async function makeFolder(): Promise<string> {
    const { dataDir, remove } = await copyPreparedFolder();
    cleanups.push(remove);
    return dataDir;
  }

  async function connect(dataDir: string): Promise<Database> {
    const database = await connectDatabase({ dataDir });
    cleanups.push(() => database.close());
    return database;
  }

  function start(script: string, ...values: string[]): ChildProcess {
    const child = fork(fileURLToPath(new URL(script, import.meta.url)), values, { execArgv: [] });
    cleanups.push(async () => child.kill("SIGKILL"));
    return child;
  }

  it("keeps every acknowledged write after kill -9, and clients continue", { timeout: 300_000 }, async () => {
    const dataDir = await makeFolder();
    const writers = ["first", "second"].map((name) => start("write-until-stopped.mjs", dataDir, name));
    const acknowledged = new Map<string, number>();
    let sinceKill = 0;
    const problems: unknown[] = [];
    for (const writer of writers) {
      writer.on("message", (message: { acknowledged?: string; index?: number }) => {
        if (message.acknowledged === undefined) return;
        acknowledged.set(message.acknowledged, message.index ?? 0);
        sinceKill += 1;
      });
      writer.on("exit", (code) => code !== 0 && problems.push(`A writer exited with ${code}.`));
    }
    await Promise.all(writers.map((writer) => once(writer, "message")));
    for (let round = 0; round < 4; round++) {
      sinceKill = 0;
      while (sinceKill < 2) await pause(5);
      // The pause ends during the writes or between them.
      await pause(round * 7);
      await killIn(round, dataDir);
    }
    for (const writer of writers) {
      const ended = once(writer, "exit");
      writer.send("stop");
      await ended;
    }
    expect(problems).toEqual([]);
    const database = await connect(dataDir);
    expect(acknowledged.size).toBeGreaterThanOrEqual(8);
    for (const [id, index] of acknowledged) {
      const read = await database.episodes.readDescriptors(id, "test-model");
      expect(read?.frameTable).toEqual(new Uint8Array([index]));
      expect(read?.chunks).toEqual(Array.from({ length: 4 }, () => new Uint8Array(64 * 1024).fill(index)));
      expect(await database.episodes.find(id)).toMatchObject({ state: "ready", frameCount: index });
    }
    const seqs = (await database.libraryChanges.listSince(0n, "test-model", 10_000)).map(({ seq }) => seq);
    expect(BigInt(seqs.length)).toBe(await database.libraryChanges.currentSeq());
  });

  /** Kills PostgreSQL, the process that started it, or both, after the ones killed before were replaced. */
  async function killIn(round: number, dataDir: string): Promise<void> {
    const { server, postgres } = await vi.waitFor(() => findRunning(dataDir), { timeout: 60_000 });
    const killed = [[postgres], [server], [postgres, server]][round % 3] ?? [];
    // The second one may have ended with the first.
    for (const pid of killed) sendSignal(pid, "SIGKILL");
    await expect.poll(() => killed.some(isRunning)).toBe(false);
  }

  /** Throws while one of the two does not run: acknowledgements that were sent before a kill arrive after it. */
  async function findRunning(dataDir: string): Promise<{ server: number; postgres: number }> {
    const found = { server: await readServerPid(dataDir), postgres: await readPostgresPid(dataDir) };
    expect(Object.values(found).every(isRunning), JSON.stringify(found)).toBe(true);
    return found;
  }

  it.runIf(process.platform === "linux")(
    "stays the only one while PostgreSQL outlives the processes that started and watch it",
    async () => {
      const dataDir = await makeFolder();
      const database = await connect(dataDir);
      const [server, postgres] = [await readServerPid(dataDir), await readPostgresPid(dataDir)];
      for (const pid of [...(await listChildren(server)), server]) {
        if (pid !== postgres) process.kill(pid, "SIGKILL");
      }
      await expect.poll(() => isRunning(server)).toBe(false);
      expect(await takeFolderLock(path.join(dataDir, "database"))).toBeUndefined();
      await database.ping();
      expect(await readPostgresPid(dataDir)).toBe(postgres);
      process.kill(postgres, "SIGKILL");
      await expect
        .poll(() =>
          database.ping().then(
            () => readServerPid(dataDir),
            () => server,
          ),
        )
        .not.toBe(server);
    },
  );

  it("starts once for concurrent clients", async () => {
    const dataDir = await makeFolder();
    const writers = Array.from({ length: 4 }, (_, index) =>
      start("write-until-stopped.mjs", dataDir, `w${index}`),
    );
    await Promise.all(writers.map((writer) => once(writer, "message")));
    await Promise.all(
      writers.map(async (writer) => {
        const ended = once(writer, "exit");
        writer.send("stop");
        await ended;
      }),
    );
    const log = await readFile(path.join(dataDir, "database", "server.log"), "utf8");
    expect(log.match(/ready, process/g)).toHaveLength(1);
  });

  it("separates the transactions of two processes", async () => {
    const dataDir = await makeFolder();
    await connect(dataDir);
    const connection = JSON.stringify(embeddedConnection(dataDir));
    const [first, second] = [start("run-sql.mjs", connection), start("run-sql.mjs", connection)];
    const ask = async (child: ChildProcess, sql: string) => {
      const result = once(child, "message");
      child.send(sql);
      return (await result)[0];
    };
    await Promise.all([once(first, "message"), once(second, "message")]);
    await ask(first, "CREATE TABLE lamp (id INT PRIMARY KEY)");
    await ask(first, "BEGIN");
    await ask(first, "INSERT INTO lamp VALUES (1)");
    const inserted = ask(second, "INSERT INTO lamp VALUES (2)");
    await ask(first, "ROLLBACK");
    expect(await inserted).toEqual({ rows: [] });
    await ask(second, "BEGIN");
    await ask(second, "INSERT INTO lamp VALUES (3)");
    const read = ask(first, "SELECT id FROM lamp ORDER BY id");
    second.kill("SIGKILL");
    expect(await read).toEqual({ rows: [{ id: 2 }] });
    first.send("end");
  });

  it("exits after its last client and starts for the next one", { timeout: 90_000 }, async () => {
    const dataDir = await makeFolder();
    const database = await connectDatabase({ dataDir });
    const { id } = await makeEpisode(database);
    const pid = await readServerPid(dataDir);
    await database.close();
    const deadline = Date.now() + 20_000;
    while (isRunning(pid) && Date.now() < deadline) await pause(50);
    expect(isRunning(pid)).toBe(false);
    const again = await connect(dataDir);
    expect((await again.episodes.find(id))?.id).toBe(id);
  });

  it("has ended when a service that is its last client has closed", async () => {
    const dataDir = await makeFolder();
    const service = await connectDatabase({ dataDir, endsServer: true });
    await readPostgresPid(dataDir);
    await service.close();
    // PostgreSQL removes its file after the checkpoint; one that is killed leaves it.
    await expect(readPostgresPid(dataDir)).rejects.toThrow("ENOENT");
  });

  it("stays for other clients when a service has closed", async () => {
    const dataDir = await makeFolder();
    const other = await connect(dataDir);
    const service = await connectDatabase({ dataDir, endsServer: true });
    const postgres = await readPostgresPid(dataDir);
    await service.close();
    await other.ping();
    expect(await readPostgresPid(dataDir)).toBe(postgres);
  });

  // /proc exists on Linux only.
  it.runIf(process.platform === "linux")("takes less than 80 MiB of memory", async () => {
    const dataDir = await makeFolder();
    await connect(dataDir);
    const [server, postgres] = [await readServerPid(dataDir), await readPostgresPid(dataDir)];
    expect(
      await readMemoryMiB([server, ...(await listChildren(server)), ...(await listChildren(postgres))]),
    ).toBeLessThan(80);
  });

  it("says that its folder was deleted or replaced, and continues when it is back", {
    timeout: 180_000,
  }, async () => {
    const dataDir = await makeFolder();
    const messages: string[] = [];
    const database = await connectDatabase({ dataDir, onLog: (message) => messages.push(message) });
    cleanups.push(() => database.close());
    const pids = [await readServerPid(dataDir), await readPostgresPid(dataDir)];
    const [folder, aside] = [path.join(dataDir, "database"), path.join(dataDir, "aside")];
    await rename(folder, aside);
    const readError = () =>
      database.ping().then(
        () => undefined,
        (error: unknown) => error,
      );
    // PostgreSQL itself looks once a minute, on systems without the heartbeat of the lock.
    await expect.poll(readError, { timeout: 90_000 }).toBeInstanceOf(DatabaseLostError);
    await expect.poll(() => pids.some(isRunning)).toBe(false);
    expect(await readdir(dataDir)).toEqual(["aside"]);
    expect(messages).toEqual([expect.stringContaining(path.join(folder, "postgresql-18"))]);

    const other = await connectDatabase({ dataDir });
    expect(await readError()).toBeInstanceOf(DatabaseLostError);
    await other.close();
    await stopEmbedded(dataDir);
    await rm(folder, { recursive: true });
    await rename(aside, folder);
    await database.ping();
    expect(messages).toHaveLength(1);
  });

  it("accepts connections of its user only", async () => {
    const dataDir = await makeFolder();
    await connect(dataDir);
    const { mode } = await stat(path.join(dataDir, "database", "postgresql-18", ".s.PGSQL.5432"));
    expect(mode & 0o777).toBe(0o600);
  });

  it("serves a folder whose name is too long for a socket", async () => {
    const { dataDir, remove } = await copyPreparedFolder("a".repeat(120));
    cleanups.push(remove);
    const { socketFolder } = await openServerFolder(path.join(dataDir, "database"));
    cleanups.push(() => rm(socketFolder, { recursive: true }));
    const database = await connect(dataDir);
    expect(socketFolder.startsWith(dataDir)).toBe(false);
    await database.ping();
    expect(database.kind).toBe("embedded");
  });

  it("is not started by an inspection", async () => {
    const dataDir = await makeFolder();
    expect(await inspectDatabase({ dataDir })).toEqual({ status: "stopped" });
    expect(await readdir(path.join(dataDir, "database"))).toEqual(["postgresql-18"]);
  });

  it("reports the reason when its data cannot be opened", async () => {
    const dataDir = await makeFolder();
    await rm(path.join(dataDir, "database", "postgresql-18"), { recursive: true });
    await writeFile(path.join(dataDir, "database", "postgresql-18"), "not a folder");
    const error = await connectDatabase({ dataDir }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DatabaseUnavailableError);
    expect(String(error)).toMatch(/did not start: .*broken: .* \(see .*server\.log\)/);
  });
});

/** The private memory of processes. */
async function readMemoryMiB(pids: number[]): Promise<number> {
  const sizes = pids.map(async (pid) => {
    const status = await readFile(`/proc/${pid}/status`, "utf8");
    return Number(status.match(/RssAnon:\s+(\d+) kB/)?.[1]) / 1024;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

async function listChildren(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  return children.trim().split(" ").filter(Boolean).map(Number);
}
