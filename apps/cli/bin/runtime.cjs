// Prints the folder of the Node that runs Koma where the installed one is too old: .koma/runtime/VERSION of the
// repository. Installs it from npm when it is missing, with the hashes of ../runtime/package-lock.json. Its syntax
// stays readable for old versions of Node. Ends with 1 after one sentence on standard error.
"use strict";
const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");

const manifests = path.join(__dirname, "../runtime");
const runtimes = path.join(__dirname, "../../../.koma/runtime");
const packages = require("../runtime/package.json").optionalDependencies;
const platform = `${process.platform}-${process.arch}`;
// On macOS with Apple's processors the package has another prefix.
const name = [`node-${platform}`, `node-bin-${platform}`].find((candidate) => candidate in packages);
const version = packages[name];
const folder = path.join(runtimes, String(version));
const work = path.join(runtimes, `.install-${process.pid}`);
const problem = name === undefined ? `npm has none for ${platform}` : findOrInstall();
if (problem === undefined) process.stdout.write(`${folder}\n`);
else {
  process.stderr.write(
    `Koma needs Node 24.3 or newer and this is Node ${process.versions.node}; ${problem}: ` +
      "install a current Node from https://nodejs.org, then start again.\n",
  );
  process.exitCode = 1;
}

/** The problem that prevents the installation; undefined without one. */
function findOrInstall() {
  if (fs.existsSync(path.join(folder, "node"))) return undefined;
  process.stderr.write(
    `Installing Node ${version} for Koma, because this is Node ${process.versions.node} …\n`,
  );
  try {
    // Other users may run Koma from this repository; they need not list the data.
    makeFolder(path.dirname(runtimes), 0o711);
    makeFolder(runtimes, 0o755);
    fs.mkdirSync(work);
    for (const file of fs.readdirSync(manifests))
      fs.copyFileSync(path.join(manifests, file), path.join(work, file));
    return install();
  } catch (error) {
    return `it could not be installed in ${runtimes} (${error.code || error.message})`;
  } finally {
    remove(work);
  }
}

function install() {
  const npm = process.env.npm_execpath || "";
  const [program, first] = /npm-cli\.[cm]?js$/.test(npm) ? [process.execPath, [npm]] : ["npm", []];
  const args = [...first, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const { status, stderr, error } = spawnSync(program, args, { cwd: work, encoding: "utf8" });
  const installed = path.join(work, "node_modules", name, "bin/node");
  if (status !== 0 || !fs.existsSync(installed)) {
    const reason = /npm (?:ERR!|error) (?:code )?(\S.*)/.exec(stderr || "");
    return `npm could not install it (${reason ? reason[1] : error ? error.message : `code ${status}`})`;
  }
  const check = spawnSync(installed, ["--version"], { encoding: "utf8" });
  if (check.status !== 0) return `the one from npm does not run here (it needs glibc)`;
  // A complete folder appears at once, also when two processes install.
  const complete = path.join(work, "complete");
  fs.mkdirSync(complete);
  fs.renameSync(installed, path.join(complete, "node"));
  fs.renameSync(path.join(work, "node_modules", name, "LICENSE"), path.join(complete, "LICENSE"));
  try {
    fs.renameSync(complete, folder);
  } catch (error) {
    if (!fs.existsSync(path.join(folder, "node"))) throw error;
  }
  for (const other of fs.readdirSync(runtimes)) if (isUnused(other)) remove(path.join(runtimes, other));
  return undefined;
}

/** False for this version and for the folders of running installations. */
function isUnused(other) {
  const pid = /^\.install-(\d+)$/.exec(other);
  if (pid === null) return other !== version;
  try {
    process.kill(Number(pid[1]), 0);
    return false;
  } catch (error) {
    return error.code === "ESRCH";
  }
}

function makeFolder(file, mode) {
  if (fs.existsSync(file)) return;
  fs.mkdirSync(file);
  // The umask may have removed permissions.
  fs.chmodSync(file, mode);
}

function remove(file) {
  fs.rmSync(file, { recursive: true, force: true });
}
