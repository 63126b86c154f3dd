import { readFileSync } from "node:fs";
import path from "node:path";
import { announce } from "./announce.mjs";
import { explainInstallFailure } from "./install-failure.mjs";
import { runChild } from "./run-child.mjs";
import { StarterError } from "./starter-error.mjs";

/**
 * Installs the packages of the lockfile. Throws a StarterError with the remedy when npm fails.
 * @param {import("./types.d.ts").StepOptions} options
 */
export async function ensureInstalled({ root, interruption, lock }) {
  const args = ["ci", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];
  const task = announce("Installing packages (about a minute, only the first time)");
  let result;
  try {
    result = await runChild("npm", args, { cwd: root, env: installEnvironment, interruption, lock });
  } catch (error) {
    task.end(false);
    throw error;
  }
  task.end(result.code === 0);
  if (result.code !== 0 || !ensureInstalled.isDone(root))
    throw new StarterError(explainInstallFailure(result.output));
}

/** Whether node_modules contains the packages of the lockfile. */
ensureInstalled.isDone = isLockfileInstalled;

/**
 * npm writes node_modules/.package-lock.json last, so it is missing after an interrupted `npm ci`.
 * @param {string} root
 */
function isLockfileInstalled(root) {
  const packages = readPackages(path.join(root, "package-lock.json"));
  const installed = readPackages(path.join(root, "node_modules/.package-lock.json"));
  if (packages === undefined) {
    throw new StarterError(
      "package-lock.json is missing or damaged: restore it with `git checkout package-lock.json`.",
    );
  }
  if (installed === undefined) return false;
  return Object.entries(packages).every(([folder, entry]) => {
    if (folder === "") return true;
    const found = installed[folder];
    if (found === undefined) return entry.optional === true;
    return found.version === entry.version && found.integrity === entry.integrity;
  });
}

/**
 * @param {string} file
 * @returns {Record<string, { version?: string, integrity?: string, optional?: boolean }> | undefined}
 */
function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8")).packages;
  } catch {
    return undefined;
  }
}

/**
 * The install script of onnxruntime-node would download libraries for NVIDIA cards, which Koma does not use.
 */
const installEnvironment = { ONNXRUNTIME_NODE_INSTALL: "skip" };
