import { readFileSync } from "node:fs";
import path from "node:path";
import { announce } from "./announce.mjs";
import { explainInstallFailure } from "./install-failure.mjs";
import { runChild } from "./run-child.mjs";
import { StarterError } from "./starter-error.mjs";

/** Installs exactly what the lockfile says; throws a StarterError that says what to do when npm fails. */
export async function ensureInstalled({ root, interruption, lock }) {
  const args = ["ci", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];
  const done = announce("Installing packages (about a minute, only the first time)");
  let result;
  try {
    result = await runChild("npm", args, { cwd: root, interruption, lock });
  } catch (error) {
    done(false);
    throw error;
  }
  done(result.code === 0);
  if (result.code !== 0 || !ensureInstalled.isDone(root))
    throw new StarterError(explainInstallFailure(result.output));
}

/** Whether node_modules holds what the lockfile says. */
ensureInstalled.isDone = isLockfileInstalled;

/** npm writes node_modules/.package-lock.json last of all, so after an interrupted `npm ci` there is none. */
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

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8")).packages;
  } catch {
    return undefined;
  }
}
