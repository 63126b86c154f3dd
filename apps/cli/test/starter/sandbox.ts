import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { observe } from "../observe.ts";

const cli = fileURLToPath(new URL("../../", import.meta.url));

/** A small copy of the repository with the real starter; fakes replace npm, turbo and the built programs. */
export async function createSandbox() {
  const root = await realpath(await mkdtemp(join(tmpdir(), "koma starter ")));
  const running = new Set<ChildProcess>();
  await mkdir(join(root, "packages"));
  await mkdir(join(root, "node_modules/@koma"), { recursive: true });
  for (const app of ["api", "cli", "discord-bot", "telegram-bot"]) {
    await mkdir(join(root, "apps", app, "src"), { recursive: true });
    const exports = { "./main": "./dist/main.js", "./koma": "./bin/koma.js" };
    const manifest = { name: `@koma/${app}`, type: "module", exports };
    await writeFile(join(root, "apps", app, "package.json"), JSON.stringify(manifest));
    await symlink(join(root, "apps", app), join(root, "node_modules/@koma", app));
  }
  for (const part of ["start.mjs", "starter", "bin"]) {
    await cp(join(cli, part), join(root, "apps/cli", part), { recursive: true });
  }
  await cp(join(cli, "test/starter/fixtures"), join(root, "fixtures"), { recursive: true });
  for (const app of ["api", "cli"]) {
    await writeFile(join(root, "apps", app, "tsconfig.json"), "{}");
    await writeFile(join(root, "apps", app, "src/index.ts"), "export {};");
  }
  const lockfile = (version: string) =>
    JSON.stringify({
      packages: {
        "": {},
        "node_modules/piscina": { version, integrity: "sha512-x" },
        "node_modules/only-elsewhere": { version: "1.0.0", optional: true },
      },
    });
  await writeFile(join(root, "package-lock.json"), lockfile("1.0.0"));

  function run(command: string, args: string[], environment: Record<string, string>) {
    const child = spawn(command, args, {
      cwd: root,
      env: {
        PATH: process.env.PATH,
        HOME: root,
        npm_execpath: join(root, "fixtures/npm-cli.js"),
        KOMA_DATA_DIR: join(root, "data"),
        ...environment,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    running.add(child);
    return observe(child);
  }

  return {
    root,
    lockfile,
    path: (...parts: string[]) => join(root, ...parts),
    read: (file: string) => readFile(join(root, file), "utf8"),
    /** Calls of npm, turbo and koma so far, one per line. */
    calls: async () =>
      (await readFile(join(root, "calls.log"), "utf8").catch(() => "")).split("\n").filter(Boolean),
    /** Runs a program in the clone, with npm replaced. */
    spawn: run,
    /** Runs `node apps/cli/start.mjs`. */
    start: (args: string[] = [], environment: Record<string, string> = {}, nodeArgs: string[] = []) =>
      run(process.execPath, [...nodeArgs, join(root, "apps/cli/start.mjs"), ...args], environment),
    async remove() {
      for (const child of running) child.kill("SIGKILL");
      await rm(root, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** True if a process with this id runs; a zombie process does not count. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== "linux" || !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
