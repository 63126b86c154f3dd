import path from "node:path";
import { createInterface } from "node:readline";
import { checkAddress } from "./address.mjs";
import { superviseBots } from "./bots.mjs";
import { openDataFolder } from "./data-folder.mjs";
import { invitation, reachableAddress } from "./invitation.mjs";
import { tryLock } from "./lock.mjs";
import { spawnGroup, waitForGroup } from "./run-child.mjs";
import { configurationExitCode, runSupervised } from "./run-supervised.mjs";
import { StarterError } from "./starter-error.mjs";

/**
 * Starts Koma: checks first what would be a pity to find out late, prepares database and library, then keeps the
 * API running until the person interrupts. Resolves with the exit code: 0 after a clean shutdown, 78 when only a change of
 * the configuration helps.
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

/** Makes the second of two starts at once say so, and not race the first for the port. */
async function holdPort({ host, port }) {
  if (port === 0) return undefined;
  const lock = await tryLock(`serve:${host}:${port}`);
  if (lock) return lock;
  throw new StarterError(
    `Port ${port} is taken by another \`npm start\` that runs or is about to: use that one, or take another port with \`PORT=${port + 1} npm start\`.`,
  );
}

/** Runs `koma prepare`, which shows its progress on standard error; resolves with what it reports. */
async function prepare({ root, env, interruption }) {
  interruption.signal.throwIfAborted();
  const child = spawnGroup("node", [path.join(root, "apps/cli/bin/koma.js"), "prepare", "--json"], {
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let report = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    report += text;
  });
  const { code } = await waitForGroup(child, interruption);
  interruption.signal.throwIfAborted();
  if (code !== 0) {
    const why = "Koma could not prepare its database and library; the reason stands above.";
    throw new StarterError(why, code === configurationExitCode ? code : 1);
  }
  return JSON.parse(report);
}

/**
 * Runs the API, again after it failed. What listens keeps its port, so that the bots reach an API that was started
 * again. Ends with the API's own end in order (code 0) and with a configuration error.
 */
async function runApi({ root, env, interruption, library }) {
  interruption.signal.throwIfAborted();
  process.stdout.on("error", () => {});
  // Bots end with the API, as well as with an interruption.
  const running = followInterruption(interruption);
  let bots;
  let port;
  const readLine = (line) => {
    process.stdout.write(`${line}\n`);
    const address = /^ready on (http\S+)$/.exec(line)?.[1];
    if (!address || bots) return;
    port = new URL(address).port;
    process.stdout.write(invitation({ address, ...library }));
    bots = superviseBots({ root, env, interruption: running, address: reachableAddress(address) });
  };
  const start = () => {
    // Over the IPC channel the API notices when this process is gone, however it went.
    const child = spawnGroup("node", [path.join(root, "apps/api/dist/main.js")], {
      cwd: root,
      env: port ? { ...env, PORT: port } : env,
      stdio: ["ignore", "pipe", "inherit", "ipc"],
    });
    createInterface({ input: child.stdout }).on("line", readLine);
    return child;
  };
  const isFinal = ({ code }) => code === 0;
  const { code, signal } = await runSupervised({ name: "API", start, interruption, isFinal });
  running.end();
  await bots;
  if (interruption.signal.aborted) return code === 0 || signal === interruption.name() ? 0 : 1;
  return code;
}

/** An interruption that also happens by `end`, as if by SIGTERM. */
function followInterruption(interruption) {
  const ending = new AbortController();
  return {
    signal: AbortSignal.any([interruption.signal, ending.signal]),
    name: () => interruption.name() ?? "SIGTERM",
    onImpatient: interruption.onImpatient,
    end: () => ending.abort(),
  };
}

function readPort() {
  const text = process.env.PORT || "3000";
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65535) return port;
  throw new StarterError(
    `PORT is ${text}, which is no port: set it to a number from 1 to 65535, or leave it out.`,
  );
}
