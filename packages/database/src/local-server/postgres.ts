import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, chown, lchown, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { type Account, chooseInitialAccount, runAs } from "./accounts.ts";
import { endRequest } from "./end-with-server.ts";
import type { FolderLock } from "./generation-lock.ts";
import { openPrograms, type Programs } from "./programs.ts";
import { socketPort } from "./server-folder.ts";

/** A running PostgreSQL. */
export type Postgres = {
  /** Ends it: `fast` writes a checkpoint first, `immediate` leaves that to the next start. */
  stop(how: "fast" | "immediate"): Promise<void>;
  /** Resolves after its exit with the last error that it reported. */
  ended: Promise<string>;
};

/**
 * Creates the data of a new database. The rename makes it appear as a whole, even when this is interrupted.
 * `fill` changes the draft before.
 */
export async function createData(options: {
  dataFolder: string;
  /** For the links to libraries of PostgreSQL. */
  linksFolder: string;
  account: Account;
  lock: Pick<FolderLock, "fileDescriptor">;
  fill?: ((draft: string) => Promise<void>) | undefined;
}): Promise<void> {
  const { dataFolder, linksFolder, account, lock, fill } = options;
  const draft = `${dataFolder}.new`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  const initialAccount = chooseInitialAccount(account);
  const programs = await openPrograms(initialAccount, linksFolder);
  if (initialAccount.kind === "switched") await chown(draft, initialAccount.userId, initialAccount.groupId);
  const {
    command,
    args,
    options: identity,
  } = runAs(initialAccount, programs.initdb, [
    ...["--pgdata", pathFor(initialAccount, draft), "--username=postgres", "--auth=trust"],
    // The order of texts does not depend on the machine.
    ...["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"],
    "--no-instructions",
    ...(isLinux ? ["--sync-method=syncfs"] : []),
  ]);
  const initdb = spawn(command, args, {
    ...identity,
    cwd: draft,
    env: programs.env,
    stdio: withLock(lock),
  });
  const problem = readProblem(initdb.stderr);
  const [code] = await once(initdb, "close");
  if (code !== 0) throw new Error(`initdb: ${(await problem) || `exit code ${code}`}`);
  if (account.kind === "switched") await giveTree(draft, account);
  await fill?.(draft);
  await rename(draft, dataFolder);
  await flush(path.dirname(dataFolder));
}

/**
 * Starts PostgreSQL on a data folder that no other process uses; resolves when it accepts connections.
 * `onSessions` gets the number of its clients after each change.
 */
export async function startPostgres(options: {
  dataFolder: string;
  socketFolder: string;
  account: Account;
  programs: Programs;
  lock: Pick<FolderLock, "fileDescriptor">;
  log: (line: string) => void;
  onSessions?: ((count: number) => void) | undefined;
  /** Is called when a client asks for the end after the last client. */
  onEndRequest?: (() => void) | undefined;
  /** Settings of PostgreSQL that differ from those of Koma. */
  settings?: { [name: string]: string } | undefined;
}): Promise<Postgres> {
  const { dataFolder, socketFolder, account, programs, lock, log, onSessions } = options;
  if (account.kind === "switched") await giveTree(dataFolder, account);
  if (account.kind === "switched" && socketFolder !== dataFolder) {
    await chown(socketFolder, account.userId, account.groupId);
  }
  // The lock has no other holder, so these files belong to a server that was killed. PostgreSQL would take a
  // process of another container with the same number for that server.
  const socketFile = path.join(socketFolder, `.s.PGSQL.${socketPort}`);
  const stale = [path.join(dataFolder, "postmaster.pid"), socketFile, `${socketFile}.lock`];
  for (const file of stale) await rm(file, { force: true });
  const settings = {
    ...fixedSettings,
    unix_socket_directories: socketFolder === dataFolder ? "." : socketFolder,
    // After a crash: one flush of the file system instead of a thousand of files, which took 3 s.
    ...(isLinux && { recovery_init_sync_method: "syncfs" }),
    dynamic_shared_memory_type: isLinux && !existsSync("/dev/shm") ? "mmap" : "posix",
    ...options.settings,
  };
  const {
    command,
    args,
    options: identity,
  } = runAs(account, programs.postgres, [
    ...["-D", pathFor(account, dataFolder)],
    ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
  ]);
  const server = spawn(command, args, {
    ...identity,
    cwd: dataFolder,
    env: programs.env,
    stdio: withLock(lock),
  });
  const exited = new Promise<string>((resolve) => {
    server.once("error", (error) => resolve(error.message));
    server.once("close", (code, signal) => resolve(`PostgreSQL ended with ${signal ?? `exit code ${code}`}`));
  });
  const watch = watchOver(server);
  const sessions = new Set<string>();
  let lastError: string | undefined;
  const isReady = new Promise<true>((resolve) => {
    if (server.stderr === null) return;
    createInterface({ input: server.stderr }).on("line", (line) => {
      const [, pid = "", message = ""] = /^(\d+) (.*)$/.exec(line) ?? [];
      if (message.startsWith("LOG:  connection authorized:")) sessions.add(pid);
      else if (message.startsWith("LOG:  disconnection:")) sessions.delete(pid);
      else {
        if (message === `LOG:  ${endRequest}`) options.onEndRequest?.();
        const [, reason] = /^(?:FATAL|PANIC): {2}(.*)$/.exec(message) ?? [];
        // Clients that connect too early or too late get a FATAL of their own.
        if (reason !== undefined && !reason.startsWith("the database system is ")) lastError = reason;
        log(`PostgreSQL: ${line}`);
        if (/ is ready to accept (read-only )?connections$/.test(message)) resolve(true);
        return;
      }
      onSessions?.(sessions.size);
    });
  });
  const ended = exited.then((reason) => {
    watch.kill("SIGKILL");
    return lastError ?? reason;
  });
  if ((await Promise.race([isReady, ended])) !== true) throw new Error(await ended);
  return {
    ended,
    async stop(how) {
      server.kill(how === "fast" ? "SIGINT" : "SIGQUIT");
      await ended;
    },
  };
}

/** Flushes a file or folder to the disk. */
export async function flush(file: string): Promise<void> {
  const handle = await open(file, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const isLinux = process.platform === "linux";

// For a laptop: four processes with a pool of five, an API with a larger one, and some more clients.
const fixedSettings = {
  listen_addresses: "",
  unix_socket_permissions: "0600",
  max_connections: "100",
  shared_buffers: "64MB",
  // Compiling a plan takes longer than executing most plans of Koma. The package has no compiler.
  jit: "off",
  // Without three processes for input, and without parallel workers: searches use the cores.
  io_method: "sync",
  max_parallel_workers_per_gather: "0",
  wal_level: "minimal",
  max_wal_senders: "0",
  max_logical_replication_workers: "0",
  min_wal_size: "32MB",
  max_wal_size: "256MB",
  // The next client starts the server again after a crash of one of its processes.
  restart_after_crash: "off",
  idle_in_transaction_session_timeout: "30s",
  timezone: "UTC",
  log_timezone: "UTC",
  lc_messages: "C",
  log_line_prefix: "%p ",
  log_checkpoints: "off",
  // The server counts its clients by these lines.
  log_connections: "authorization",
  log_disconnections: "on",
};

/**
 * Ends PostgreSQL when this process was killed: the end of the pipe ends the wait. The next start recovers, as
 * after a crash.
 */
function watchOver({ pid }: ChildProcess): ChildProcess {
  const script = 'read -r _; kill -QUIT "$0"';
  const watch = spawn("/bin/sh", ["-c", script, String(pid)], {
    cwd: "/",
    stdio: ["pipe", "ignore", "ignore"],
  });
  watch.on("error", () => undefined);
  watch.stdin?.on("error", () => undefined);
  return watch;
}

/**
 * Another account may have no access to the folders above its data, such as the home folder of root. The link
 * to the working folder leads past them (proc(5)).
 */
function pathFor(account: Account, folder: string): string {
  return account.kind !== "own" && isLinux ? "/proc/self/cwd" : folder;
}

/** Lets a program and its processes hold the lock too, so that the lock lasts until the last one has ended. */
function withLock(lock: Pick<FolderLock, "fileDescriptor">): StdioOptions {
  return ["ignore", "ignore", "pipe", lock.fileDescriptor];
}

/** The first error that a program reports; without one, its last line. */
async function readProblem(stream: Readable | null): Promise<string> {
  if (stream === null) return "";
  let text = "";
  for await (const part of stream.setEncoding("utf8")) text += part;
  return /(?:FATAL|error): +(.+)/.exec(text)?.[1] ?? text.trimEnd().split("\n").at(-1) ?? "";
}

/** Gives a folder and all below it to an account, unless the account owns the folder. */
async function giveTree(
  folder: string,
  { userId, groupId }: Extract<Account, { kind: "switched" }>,
): Promise<void> {
  const { uid } = await stat(folder);
  if (uid === userId) return;
  // The folder is the last one, so an interruption leads to a repetition.
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    await lchown(path.join(entry.parentPath, entry.name), userId, groupId);
  }
  await chmod(folder, 0o700);
  await chown(folder, userId, groupId);
}
