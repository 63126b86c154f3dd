import { type ChildProcess, type IOType, type SpawnOptions, spawn } from "node:child_process";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { StarterError } from "./starter-error.ts";
import type { Environment, Interruption, Lock, ProcessEnd } from "./types.ts";

/** The npm or the Node that runs the starter. */
type Program = "npm" | "node";

type RunOptions = {
  cwd: string;
  interruption: Interruption;
  env?: Environment;
  output?: "capture" | "inherit";
  lock?: Lock;
};

const tailLimit = 64 * 1024;
// Longer than the API's limit for open requests.
const gracePeriodMs = 20_000;
// In a container without an init process, ended children remain as zombies, and the group never becomes empty.
const groupEndMs = 5_000;
// glibc otherwise keeps the memory of decoded images in an arena per thread. The container file and the
// systemd units have the same settings.
const allocatorSettings = {
  MALLOC_ARENA_MAX: "2",
  MALLOC_MMAP_THRESHOLD_: "131072",
  MALLOC_TRIM_THRESHOLD_: "131072",
};

/**
 * Runs a program in a process group of its own and ends the whole group at an interruption. With `output` "capture"
 * (default) the result has the last 64 KiB of its output; with "inherit" it prints itself.
 * `lock` stays held while the program runs. Rejects when interrupted, after every process of the group has ended.
 */
export async function runChild(
  command: Program,
  args: string[],
  { cwd, env, interruption, output = "capture", lock }: RunOptions,
): Promise<ProcessEnd & { output: string }> {
  interruption.signal.throwIfAborted();
  const stdio: (IOType | number)[] =
    output === "inherit" ? ["ignore", "inherit", "inherit"] : ["ignore", "pipe", "pipe"];
  if (lock?.fd !== undefined) stdio.push(lock.fd);
  const child = spawnGroup(command, args, { cwd, env, stdio });
  let tail = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      tail = (tail + text).slice(-tailLimit);
    });
  }
  const result = await waitForGroup(child, interruption);
  interruption.signal.throwIfAborted();
  return { ...result, output: tail };
}

/**
 * Starts a program as the leader of a process group; "npm" and "node" are those that run the starter. A program of Koma
 * with an IPC channel in `stdio` ends when this process ends in any way, which closes the channel.
 */
export function spawnGroup(command: Program, args: string[], options: SpawnOptions): ChildProcess {
  const isWindows = process.platform === "win32";
  const [file, firstArgs] = resolveProgram(command);
  return spawn(file, [...firstArgs, ...args], {
    ...options,
    env: { ...allocatorSettings, ...process.env, ...options.env },
    detached: !isWindows,
    shell: isWindows && file === "npm",
    windowsHide: true,
  });
}

/**
 * Resolves with the exit code when the child has ended. An interruption is sent to its group; after the grace
 * period the group is killed.
 */
export async function waitForGroup(
  child: ChildProcess,
  interruption: Pick<Interruption, "signal" | "name" | "onRepeat">,
): Promise<ProcessEnd> {
  let forceTimer: NodeJS.Timeout | undefined;
  const end = () => {
    killGroup(child, interruption.name() ?? "SIGTERM");
    forceTimer = setTimeout(() => killGroup(child, "SIGKILL"), gracePeriodMs);
  };
  const forget = interruption.onRepeat(() => killGroup(child, "SIGKILL"));
  interruption.signal.addEventListener("abort", end, { once: true });
  if (interruption.signal.aborted) end();
  try {
    return await new Promise((resolve, reject) => {
      child.once("error", (error) =>
        reject(new StarterError(`${child.spawnfile} could not be started: ${error.message}`)),
      );
      child.once("close", (code, signal) => resolve({ code: code ?? 1, signal }));
    });
  } finally {
    clearTimeout(forceTimer);
    forget();
    interruption.signal.removeEventListener("abort", end);
    // A leader that ended at once may have left children that end others, as turbo does with its tasks.
    if (interruption.signal.aborted) {
      for (let waitedMs = 0; waitedMs < groupEndMs && isGroupAlive(child); waitedMs += 50) await delay(50);
      killGroup(child, "SIGKILL");
    }
  }
}

function isGroupAlive(child: ChildProcess): boolean {
  if (child.pid === undefined || process.platform === "win32") return false;
  try {
    return process.kill(-child.pid, 0);
  } catch {
    return false;
  }
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // ESRCH: the group has ended already.
  }
}

function resolveProgram(command: Program): [string, string[]] {
  if (command === "node") return [process.execPath, []];
  const npm = process.env.npm_execpath;
  if (command === "npm" && npm && /npm-cli\.[cm]?js$/.test(path.basename(npm)))
    return [process.execPath, [npm]];
  return [command, []];
}
