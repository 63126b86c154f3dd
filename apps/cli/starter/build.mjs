import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { announce } from "./announce.mjs";
import { runChild } from "./run-child.mjs";
import { StarterError } from "./starter-error.mjs";

const stampFile = ".turbo/koma-build.json";
const workspaceInputs = ["src", "scripts", "package.json", "tsconfig.json", "vite.config.ts"];
// `npm start` needs neither the browser extension, whose two builds take seconds, nor the benchmarks.
const excluded = ["apps/extension", "apps/benchmark"];
const rootInputs = ["prisma", "package-lock.json", "tsconfig.json", "turbo.json"];

/**
 * Builds every workspace whose sources changed; turbo restores the others. Throws a StarterError with the
 * output of the compiler.
 * @param {import("./types.d.ts").StepOptions} options
 */
export async function ensureBuilt({ root, interruption, lock }) {
  const fingerprint = fingerprintInputs(root);
  const task = announce("Building");
  const started = new Set();
  let total = 0;
  let result;
  try {
    const turbo = path.join(root, "node_modules/turbo/bin/turbo");
    const filters = excluded.map((folder) => `--filter=!./${folder}`);
    const args = ["run", "build", ...filters, "--output-logs=new-only", "--ui=stream"];
    result = await runChild("node", [turbo, ...args], {
      cwd: root,
      env: { TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1" },
      interruption,
      lock,
      onLine: (line) => {
        total = Number(/Running build in (\d+) packages/.exec(line)?.[1] ?? total);
        const name = /^(\S+):build: cache (?:hit|miss)/.exec(line)?.[1];
        if (name === undefined) return;
        started.add(name);
        task.note(`${started.size} of ${total} packages`);
      },
    });
  } catch (error) {
    task.end(false);
    throw error;
  }
  task.end(result.code === 0);
  if (result.code !== 0) throw new StarterError(`Koma could not be built:\n\n${lastLines(result.output)}`);
  mkdirSync(path.dirname(path.join(root, stampFile)), { recursive: true });
  writeFileSync(path.join(root, stampFile), JSON.stringify({ fingerprint }));
}

/** Whether everything is built from the present sources. */
ensureBuilt.isDone = (/** @type {string} */ root) => {
  if (!workspaces(root).every((folder) => existsSync(path.join(root, folder, "dist/.tsbuildinfo"))))
    return false;
  try {
    return (
      JSON.parse(readFileSync(path.join(root, stampFile), "utf8")).fingerprint === fingerprintInputs(root)
    );
  } catch {
    return false;
  }
};

/**
 * A hash of sizes and times of all inputs of the build. It takes 10 ms; turbo takes a second.
 * @param {string} root
 */
function fingerprintInputs(root) {
  const hash = createHash("sha256");
  const inputs = [
    ...rootInputs,
    ...workspaces(root).flatMap((folder) => workspaceInputs.map((input) => path.join(folder, input))),
  ];
  for (const input of inputs) addToHash(hash, path.join(root, input));
  return hash.digest("hex");
}

/**
 * @param {import("node:crypto").Hash} hash
 * @param {string} file
 */
function addToHash(hash, file) {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return;
  if (!stat.isDirectory()) {
    hash.update(`${file}\0${stat.size}\0${stat.mtimeMs}\n`);
    return;
  }
  for (const name of readdirSync(file).sort()) {
    if (name !== "generated") addToHash(hash, path.join(file, name));
  }
}

/**
 * The end of the output; the build stops at the first failure.
 * @param {string} output
 */
function lastLines(output) {
  return output.trim().split("\n").slice(-60).join("\n");
}

/** @param {string} root */
function workspaces(root) {
  return ["packages", "apps"].flatMap((folder) =>
    readdirSync(path.join(root, folder))
      .sort()
      .map((name) => path.join(folder, name))
      .filter(
        (workspace) =>
          !excluded.includes(workspace) && existsSync(path.join(root, workspace, "tsconfig.json")),
      ),
  );
}
