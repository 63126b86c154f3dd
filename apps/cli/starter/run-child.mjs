import { spawn } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";
import { StarterError } from "./starter-error.mjs";

const tailLimit = 64 * 1024;
// Longer than the API's limit for open requests.
const gracePeriodMs = 20_000;
// glibc otherwise keeps the memory of decoded images in an arena per thread. The container file and the
// systemd units have the same settings.
const allocatorSettings = {
  MALLOC_ARENA_MAX: "2",
  MALLOC_MMAP_THRESHOLD_: "131072",
  MALLOC_TRIM_THRESHOLD_: "131072",
};

/**
 * Runs a program in a process group of its own and ends the whole group at an interruption. With `output` "capture"
 * (default) the result has the last 64 KiB of its output and `onLine` gets each line; with "inherit" it prints itself.
 * `lock` stays held while the program runs. Rejects when interrupted, after every process of the group has ended.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd: string, interruption: import("./types.d.ts").Interruption, env?: import("./types.d.ts").Environment, output?: "capture" | "inherit", lock?: import("./types.d.ts").Lock, onLine?: (line: string) => void }} options
 */
export async function runChild(command, args, { cwd, env, interruption, output = "capture", lock, onLine }) {
  interruption.signal.throwIfAborted();
  /** @type {import("node:child_process").StdioOptions & unknown[]} */
  const stdio = output === "inherit" ? ["ignore", "inherit", "inherit"] : ["ignore", "pipe", "pipe"];
  if (lock?.fd !== undefined) stdio.push(lock.fd);
  const child = spawnGroup(command, args, { cwd, env, stdio });
  let tail = "";
  if (onLine && child.stdout) createInterface({ input: child.stdout }).on("line", onLine);
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (/** @type {string} */ text) => {
      tail = (tail + text).slice(-tailLimit);
    });
  }
  const result = await waitForGroup(child, interruption);
  interruption.signal.throwIfAborted();
  return { ...result, output: tail };
}

/**
 * Starts a program as the leader of a process group; "npm" and "node" are those that run the starter.
 * @param {string} command
 * @param {string[]} args
 * @param {import("node:child_process").SpawnOptions} options
 */
export function spawnGroup(command, args, options) {
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
 * @param {import("node:child_process").ChildProcess} child
 * @param {Pick<import("./types.d.ts").Interruption, "signal" | "name" | "onRepeat">} interruption
 * @returns {Promise<import("./types.d.ts").ProcessEnd>}
 */
export async function waitForGroup(child, interruption) {
  /** @type {NodeJS.Timeout | undefined} */
  let forceTimer;
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
    // A leader that ended at once may have left children of its own.
    if (interruption.signal.aborted) killGroup(child, "SIGKILL");
  }
}

/**
 * @param {import("node:child_process").ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function killGroup(child, signal) {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // ESRCH: the group has ended already.
  }
}

/**
 * @param {string} command
 * @returns {[string, string[]]}
 */
function resolveProgram(command) {
  if (command === "node") return [process.execPath, []];
  const npm = process.env.npm_execpath;
  if (command === "npm" && npm && /npm-cli\.[cm]?js$/.test(path.basename(npm)))
    return [process.execPath, [npm]];
  return [command, []];
}
