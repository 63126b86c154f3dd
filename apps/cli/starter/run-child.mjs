import { spawn } from "node:child_process";
import path from "node:path";
import { StarterError } from "./starter-error.mjs";

const tailLimit = 64 * 1024;
// Longer than the API gives requests in flight.
const gracePeriodMs = 20_000;

/**
 * Runs a program in a process group of its own and ends the whole group when the person interrupts. With `output`
 * "capture" (default) the last 64 KiB of what it printed are in the result, with "inherit" it prints itself.
 * `lock` stays held
 * as long as the program runs. Rejects when interrupted, after every process of the group has gone.
 */
export async function runChild(command, args, { cwd, env, interruption, output = "capture", lock }) {
  interruption.signal.throwIfAborted();
  const stdio = output === "inherit" ? ["ignore", "inherit", "inherit"] : ["ignore", "pipe", "pipe"];
  if (lock?.fd !== undefined) stdio.push(lock.fd);
  const child = spawnGroup(command, args, { cwd, env, stdio });
  let tail = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text) => {
      tail = (tail + text).slice(-tailLimit);
    });
  }
  const result = await waitForGroup(child, interruption);
  interruption.signal.throwIfAborted();
  return { ...result, output: tail };
}

/** Starts a program as the leader of a process group; "npm" and "node" are those that run the starter. */
export function spawnGroup(command, args, options) {
  const isWindows = process.platform === "win32";
  const [file, firstArgs] = resolveProgram(command);
  return spawn(file, [...firstArgs, ...args], {
    ...options,
    env: { ...process.env, ...options.env },
    detached: !isWindows,
    shell: isWindows && file === "npm",
    windowsHide: true,
  });
}

/** Resolves with the exit code once the child has ended; passes an interruption on to its group, then insists. */
export async function waitForGroup(child, interruption) {
  let forceTimer;
  const end = () => {
    killGroup(child, interruption.name());
    forceTimer = setTimeout(() => killGroup(child, "SIGKILL"), gracePeriodMs);
  };
  const forget = interruption.onImpatient(() => killGroup(child, "SIGKILL"));
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

function killGroup(child, signal) {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // ESRCH: the group has ended already.
  }
}

function resolveProgram(command) {
  if (command === "node") return [process.execPath, []];
  const npm = process.env.npm_execpath;
  if (command === "npm" && npm && /npm-cli\.[cm]?js$/.test(path.basename(npm)))
    return [process.execPath, [npm]];
  return [command, []];
}
