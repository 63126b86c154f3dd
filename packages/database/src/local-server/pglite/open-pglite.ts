import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, fsyncSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { PGlite } from "@electric-sql/pglite";
import type { NodeFS } from "@electric-sql/pglite/nodefs";

/** The version that wrote the databases before PostgreSQL, and its hash at npm. */
const pglite = {
  name: "@electric-sql/pglite",
  version: "0.5.14",
  integrity:
    "sha512-aAQe7iArcFB2w1xtx91l3l9trxhMzD6aZf+WnosSHNhwgp70EJz80Igw/bHnW14fUEFYWPBoQ1sGom8Xc0Jttg==",
};

/** Installs PGlite from npm, or from npm's cache, in an empty folder, and returns its own. No install script runs. */
export async function installPglite(folder: string): Promise<string> {
  const { name, version, integrity } = pglite;
  const dependencies = { [name]: version };
  await writeFile(path.join(folder, "package.json"), JSON.stringify({ private: true, dependencies }));
  // npm compares the hash of a lock file.
  const packages = { "": { dependencies }, [`node_modules/${name}`]: { version, integrity } };
  await writeFile(
    path.join(folder, "package-lock.json"),
    JSON.stringify({ lockfileVersion: 3, requires: true, packages }),
  );
  const options = ["--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", "--fetch-retries=1"];
  const [command, ...args] = [...findNpm(), "ci", ...options, "--loglevel=error", "--prefix", folder];
  const npm = spawn(command ?? "", args, { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  let errors = "";
  npm.stderr?.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const code = await once(npm, "close").then(
    ([exitCode]) => exitCode,
    (error: Error) => error.message,
  );
  if (code === 0) return path.join(folder, "node_modules", name);
  const lines = errors.split("\n").filter((line) => line.startsWith("npm error") && !/ log of /.test(line));
  const reason = lines.map((line) => line.slice("npm error ".length)).slice(0, 3);
  throw new Error(
    `${name} ${version} cannot be installed from npm (${reason.join(" ").trim() || `npm: ${code}`}). Nothing was changed: start again with access to npm`,
  );
}

/**
 * Opens the data of PGlite so that a power failure does not damage them: PostgreSQL flushes its log before each
 * acknowledgement and its data files at each checkpoint. PGlite disables that: it starts PostgreSQL with -F
 * (fsync=off), and Emscripten's NODEFS has no fsync operation.
 */
export async function openPglite(packageFolder: string, dataFolder: string): Promise<PGlite> {
  const load = (file: string) => import(pathToFileURL(path.join(packageFolder, "dist", file)).href);
  const { PGlite: Pglite }: { PGlite: typeof PGlite } = await load("index.js");
  const { NodeFS: PgliteNodeFS }: { NodeFS: typeof NodeFS } = await load("fs/nodefs.js");
  class DurableNodeFS extends PgliteNodeFS {
    override async init(...[db, options]: Parameters<NodeFS["init"]>): ReturnType<NodeFS["init"]> {
      const { emscriptenOpts } = await super.init(db, options);
      const addSync: NonNullable<typeof emscriptenOpts.preRun>[number] = ({ FS }) => {
        Object.assign(FS.filesystems.NODEFS.stream_ops, { fsync });
      };
      return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), addSync] } };
    }
  }
  const startParams = Pglite.defaultStartParams.filter((param) => param !== "-F");
  return await Pglite.create({
    fs: new DurableNodeFS(dataFolder),
    // Emscripten implements fsync, but fdatasync, PostgreSQL's default, has no effect.
    startParams: [...startParams, "-c", "fsync=on", "-c", "wal_sync_method=fsync"],
  });
}

/** The npm beside the running Node, otherwise the first one of the system. */
function findNpm(): string[] {
  const folder = path.dirname(process.execPath);
  const file = path.join(folder, "..", "lib", "node_modules", "npm", "bin", "npm-cli.js");
  return existsSync(file) ? [process.execPath, file] : ["npm"];
}

function fsync(stream: { nfd: number }): number {
  fsyncSync(stream.nfd);
  return 0;
}
