import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { announce } from "./announce.ts";
import { explainInstallFailure } from "./install-failure.ts";
import { runChild } from "./run-child.ts";
import { StarterError } from "./starter-error.ts";
import type { Step, StepOptions } from "./types.ts";

type LockEntry = {
  version?: string;
  integrity?: string;
  optional?: boolean;
  dev?: boolean;
  devOptional?: boolean;
};
type Packages = Record<string, LockEntry>;

/** Installs the packages that Koma runs with. Throws a StarterError with the remedy when npm fails. */
export const ensureInstalled: Step = {
  isDone: (root) => isLockfileInstalled(root, { needsDevelopment: false }),
  run: (options) => install(options, ["--omit=dev"]),
};

/** Installs all packages of the lockfile, also those for tests. */
export const ensureAllInstalled: Step = {
  isDone: (root) => isLockfileInstalled(root, { needsDevelopment: true }),
  run: (options) => install(options, []),
};

async function install({ root, interruption, lock }: StepOptions, options: string[]): Promise<void> {
  const args = ["ci", ...options, "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];
  const task = announce("Installing packages (about a minute, only the first time)");
  let result: Awaited<ReturnType<typeof runChild>>;
  // A process that ends meanwhile would write its compiled code into a folder that npm is removing. Node does not
  // create the folder again.
  rmSync(path.join(root, "node_modules/.cache/node"), { recursive: true, force: true, maxRetries: 10 });
  try {
    result = await runChild("npm", args, { cwd: root, env: installEnvironment, interruption, lock });
  } catch (error) {
    task.end(false);
    throw error;
  }
  task.end(result.code === 0);
  if (result.code !== 0 || !isLockfileInstalled(root, { needsDevelopment: options.length === 0 }))
    throw new StarterError(explainInstallFailure(result.output));
}

/**
 * Whether node_modules contains the packages of the lockfile. npm writes node_modules/.package-lock.json last, so
 * it is missing after an interrupted `npm ci`.
 */
function isLockfileInstalled(root: string, { needsDevelopment }: { needsDevelopment: boolean }): boolean {
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
    if (found === undefined) {
      const isDevelopment = entry.dev === true || entry.devOptional === true;
      return entry.optional === true || (isDevelopment && !needsDevelopment);
    }
    return found.version === entry.version && found.integrity === entry.integrity;
  });
}

function readPackages(file: string): Packages | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")).packages;
  } catch {
    return undefined;
  }
}

/**
 * The install script of onnxruntime-node would download libraries for NVIDIA cards, which Koma does not use. npm
 * itself keeps no compiled code in the folder that it replaces.
 */
const installEnvironment = { ONNXRUNTIME_NODE_INSTALL: "skip", NODE_DISABLE_COMPILE_CACHE: "1" };
