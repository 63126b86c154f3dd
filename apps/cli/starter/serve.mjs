import { createInterface } from "node:readline";
import { checkAddress } from "./address.mjs";
import { superviseBots } from "./bots.mjs";
import { openDataFolder } from "./data-folder.mjs";
import { invitation, reachableAddress } from "./invitation.mjs";
import { tryLock } from "./lock.mjs";
import { programFile } from "./programs.mjs";
import { spawnGroup, waitForGroup } from "./run-child.mjs";
import { configurationExitCode, runSupervised } from "./run-supervised.mjs";
import { StarterError } from "./starter-error.mjs";

/**
 * Starts Koma: checks address and data folder first, prepares database and library, then keeps the API
 * running until the interruption. Resolves with the exit code: 0 after a clean shutdown, 78 for a
 * configuration error.
 * @param {{ root: string, interruption: import("./types.d.ts").Interruption, ensureReady: () => Promise<void> }} options
 */
export async function serve({ root, interruption, ensureReady }) {
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
 * @param {import("./types.d.ts").Address} address
 */
async function holdPort({ host, port }) {
  if (port === 0) return undefined;
  const lock = await tryLock(`serve:${host}:${port}`);
  if (lock) return lock;
  throw new StarterError(
    `Port ${port} is taken by another \`npm start\`: use that one, or another port with \`PORT=${port + 1} npm start\`.`,
  );
}

/**
 * Runs `koma prepare`, which shows its progress on standard error; resolves with its result.
 * @param {{ root: string, env: import("./types.d.ts").Environment, interruption: import("./types.d.ts").Interruption }} options
 * @returns {Promise<{ example: string | null }>}
 */
async function prepare({ root, env, interruption }) {
  interruption.signal.throwIfAborted();
  const child = spawnGroup("node", [programFile("@koma/cli/koma"), "prepare", "--json"], {
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "inherit"],
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
 * @param {Parameters<typeof prepare>[0] & { library: { example: string | null } }} options
 */
async function runApi({ root, env, interruption, library }) {
  interruption.signal.throwIfAborted();
  process.stdout.on("error", () => {});
  // The bots end with the API and with an interruption.
  const running = followInterruption(interruption);
  /** @type {Promise<void> | undefined} */
  let bots;
  /** @type {string | undefined} */
  let port;
  const readLine = (/** @type {string} */ line) => {
    process.stdout.write(`${line}\n`);
    const address = /^ready on (http\S+)$/.exec(line)?.[1];
    if (!address || bots) return;
    port = new URL(address).port;
    process.stdout.write(invitation({ address, ...library }));
    bots = superviseBots({ root, env, interruption: running, address: reachableAddress(address) });
  };
  const start = () => {
    // The IPC channel closes when this process ends in any way; then the API ends.
    const child = spawnGroup("node", [programFile("@koma/api/main")], {
      cwd: root,
      env: port ? { ...env, PORT: port } : env,
      stdio: ["ignore", "pipe", "inherit", "ipc"],
    });
    if (child.stdout) createInterface({ input: child.stdout }).on("line", readLine);
    return child;
  };
  const isFinal = (/** @type {import("./types.d.ts").ProcessEnd} */ { code }) => code === 0;
  const { code, signal } = await runSupervised({ name: "API", start, interruption, isFinal });
  running.end();
  await bots;
  if (interruption.signal.aborted) return code === 0 || signal === interruption.name() ? 0 : 1;
  return code;
}

/**
 * An interruption that `end` causes as well, as by SIGTERM.
 * @param {import("./types.d.ts").Interruption} interruption
 * @returns {import("./types.d.ts").Interruption & { end: () => void }}
 */
function followInterruption(interruption) {
  const ending = new AbortController();
  return {
    signal: AbortSignal.any([interruption.signal, ending.signal]),
    name: () => interruption.name() ?? "SIGTERM",
    onRepeat: interruption.onRepeat,
    end: () => ending.abort(),
  };
}

function readPort() {
  const text = process.env.PORT || "3000";
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65535) return port;
  throw new StarterError(
    `PORT is ${text}, which is not a port: set it to a number from 1 to 65535, or remove it.`,
  );
}
