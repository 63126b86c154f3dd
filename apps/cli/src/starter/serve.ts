import { constants, setPriority } from "node:os";
import { createInterface } from "node:readline";
import { checkAddress } from "./address.ts";
import { superviseBots } from "./bots.ts";
import { openDataFolder } from "./data-folder.ts";
import { invitation, reachableAddress } from "./invitation.ts";
import { tryLock } from "./lock.ts";
import { spawnGroup, waitForGroup } from "./run-child.ts";
import { configurationExitCode, runSupervised } from "./run-supervised.ts";
import { StarterError } from "./starter-error.ts";
import type { Address, Environment, Interruption, Lock, ProcessEnd } from "./types.ts";

type RunOptions = { root: string; env: Environment; interruption: Interruption };
type ServeOptions = { root: string; interruption: Interruption; ensureReady: () => Promise<void> };
/** The result of `koma prepare`: the file of an example search, and the number of episodes to describe again. */
type Library = { example: string | null; outdated?: number };

/** As in apps/api/bin/koma-api. */
const youngGeneration = "--max-semi-space-size=4";

/**
 * Starts Koma: checks address and data folder first, prepares database and library, then keeps the API
 * running until the interruption. Resolves with the exit code: 0 after a clean shutdown, 78 for a
 * configuration error.
 */
export async function serve({ root, interruption, ensureReady }: ServeOptions): Promise<number> {
  const address = { host: process.env.HOST || "127.0.0.1", port: readPort() };
  const env = { KOMA_DATA_DIR: openDataFolder(root) };
  const lock = await holdPort(address);
  try {
    await checkAddress(address);
    await ensureReady();
    const library = await prepare({ root, env, interruption });
    return await runApi({ root, env, interruption, library });
  } finally {
    lock?.release();
  }
}

/**
 * Rejects the second of two simultaneous starts before both compete for the port.
 */
async function holdPort({ host, port }: Address): Promise<Lock | undefined> {
  if (port === 0) return undefined;
  const lock = await tryLock(`serve:${host}:${port}`);
  if (lock) return lock;
  throw new StarterError(
    `Port ${port} is taken by another \`npm start\`: use that one, or another port with \`PORT=${port + 1} npm start\`.`,
    configurationExitCode,
  );
}

/**
 * Runs `koma prepare`, which shows its progress on standard error; resolves with its result.
 */
async function prepare({ root, env, interruption }: RunOptions): Promise<Library> {
  interruption.signal.throwIfAborted();
  const child = spawnGroup("node", ["apps/cli/src/koma.ts", "prepare", "--json"], {
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  let report = "";
  child.stdout?.setEncoding("utf8").on("data", (text) => {
    report += text;
  });
  const { code } = await waitForGroup(child, interruption);
  interruption.signal.throwIfAborted();
  if (code !== 0) {
    const why = "Koma could not prepare its database and library because of the error above.";
    throw new StarterError(why, code === configurationExitCode ? code : 1);
  }
  return JSON.parse(report);
}

/**
 * Runs the API and restarts it after a failure, on the same port, so that the bots reach the restarted API.
 * Ends with exit code 0 of the API and with a configuration error.
 */
async function runApi({
  root,
  env,
  interruption,
  library,
}: RunOptions & { library: Library }): Promise<number> {
  interruption.signal.throwIfAborted();
  process.stdout.on("error", () => {});
  // The bots end with the API and with an interruption.
  const running = followInterruption(interruption);
  let bots: Promise<void> | undefined;
  let describing: Promise<void> | undefined;
  let port: string | undefined;
  const readLine = (line: string) => {
    process.stdout.write(`${line}\n`);
    const address = /^ready on (http\S+)$/.exec(line)?.[1];
    if (!address || bots) return;
    port = new URL(address).port;
    process.stdout.write(invitation({ address, ...library }));
    if (library.outdated)
      describing = describeOutdated(library.outdated, { root, env, interruption: running });
    bots = superviseBots({ root, env, interruption: running, address: reachableAddress(address) });
  };
  const start = () => {
    const child = spawnGroup("node", [youngGeneration, "apps/api/src/main.ts"], {
      cwd: root,
      env: port ? { ...env, PORT: port } : env,
      stdio: ["ignore", "pipe", "inherit", "ipc"],
    });
    if (child.stdout) createInterface({ input: child.stdout }).on("line", readLine);
    return child;
  };
  const isFinal = ({ code }: ProcessEnd) => code === 0;
  const { code, signal } = await runSupervised({ name: "API", start, interruption, isFinal });
  running.end();
  await Promise.all([bots, describing]);
  if (interruption.signal.aborted) return code === 0 || signal === interruption.name() ? 0 : 1;
  return code;
}

/**
 * Describes the episodes of an earlier version in the background, one at a time, with low priority. A failure is
 * printed and ends nothing else: the next start continues.
 */
async function describeOutdated(count: number, { root, env, interruption }: RunOptions): Promise<void> {
  const what = count === 1 ? "1 episode" : `${count} episodes`;
  process.stderr.write(
    `The stored data of ${what} are of an earlier version and are renewed in the background. \`koma library status\` shows how many are left.\n`,
  );
  const command = ["apps/cli/src/koma.ts", "library", "describe", "--jobs", "1", "--json"];
  const child = spawnGroup("node", command, {
    cwd: root,
    env,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  try {
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It ended already, or the system has no priorities.
  }
  await waitForGroup(child, interruption).catch((error: Error) => {
    process.stderr.write(`The stored data are not renewed: ${error.message}\n`);
  });
}

/**
 * An interruption that `end` causes as well, as by SIGTERM.
 */
function followInterruption(interruption: Interruption): Interruption & { end(): void } {
  const ending = new AbortController();
  return {
    signal: AbortSignal.any([interruption.signal, ending.signal]),
    name: () => interruption.name() ?? "SIGTERM",
    onRepeat: interruption.onRepeat,
    end: () => ending.abort(),
  };
}

function readPort(): number {
  const text = process.env.PORT || "3000";
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65535) return port;
  throw new StarterError(
    `PORT is ${text}, which is not a port: set it to a number from 1 to 65535, or remove it.`,
    configurationExitCode,
  );
}
