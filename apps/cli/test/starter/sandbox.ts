import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { observe } from "../observe.ts";

const cli = fileURLToPath(new URL("../../", import.meta.url));
/** The file of the starter. */
export const starter = "apps/cli/src/starter/main.ts";

type Sandbox = ReturnType<typeof openSandbox>;

let prepared: Promise<Sandbox> | undefined;

/**
 * A small copy of the repository with the real starter; fakes replace npm and the programs. It is installed and
 * built unless `isFresh`, and has what Node has compiled.
 */
export async function createSandbox({ isFresh = false } = {}): Promise<Sandbox> {
  prepared ??= prepareSandbox();
  const sandbox = openSandbox(await makeFolder());
  await cp((await prepared).root, sandbox.root, { recursive: true });
  if (isFresh) await rm(sandbox.path("node_modules"), { recursive: true });
  for (const folder of ["packages/database/src/generated", "apps/web/dist"]) {
    if (isFresh) await rm(sandbox.path(folder), { recursive: true });
    // Its inputs are now newer, as all copies are.
    else await writeFile(sandbox.path(folder, ".built"), "");
  }
  return sandbox;
}

/** Deletes the sandbox that the others are copies of. */
export async function removePrepared(): Promise<void> {
  await (await prepared)?.remove();
  prepared = undefined;
}

const makeFolder = async () => await realpath(await mkdtemp(join(tmpdir(), "koma starter ")));

async function prepareSandbox(): Promise<Sandbox> {
  const sandbox = openSandbox(await makeFolder());
  const { root, lockfile } = sandbox;
  const fixtures = join(cli, "test/starter/fixtures");
  await cp(fixtures, join(root, "fixtures"), { recursive: true });
  await writeFile(join(root, "package.json"), JSON.stringify({ type: "module" }));
  await writeFile(join(root, "fixtures/package.json"), "{}");
  for (const part of ["src/koma.ts", "src/starter", "bin", "runtime"]) {
    await cp(join(cli, part), join(root, "apps/cli", part), { recursive: true });
  }
  const sources = ["prisma", "apps/web/src", "packages/client/src", "packages/contract/src"];
  for (const folder of [...sources, "packages/messages/src"])
    await mkdir(join(root, folder), { recursive: true });
  await writeFile(join(root, "apps/web/vite.config.ts"), "");
  for (const [fixture, file] of Object.entries({
    "api-main.js": "apps/api/src/main.ts",
    "bot-main.js": "apps/discord-bot/src/main.ts",
    "build.js": "packages/database/scripts/generate.mjs",
    "koma-main.js": "apps/cli/src/main.ts",
    "run-tests.js": "packages/testing/src/run-tests.ts",
  })) {
    await cp(join(fixtures, fixture), join(root, file));
  }
  await cp(join(fixtures, "bot-main.js"), join(root, "apps/telegram-bot/src/main.ts"));
  await writeFile(join(root, "package-lock.json"), lockfile("1.0.0"));
  const start = sandbox.start([], { PORT: "0", DISCORD_TOKEN: "a.b.c" });
  await Promise.all([start.printed(/Ctrl-C/), start.printed(/^ready on Discord$/m)]);
  start.child.kill("SIGTERM");
  await start.ended;
  for (const file of ["calls.log", "hanging.pid", "data"]) await rm(join(root, file), { recursive: true });
  return sandbox;
}

function openSandbox(root: string) {
  const running = new Set<ChildProcess>();

  function run(command: string, args: string[], environment: Record<string, string>) {
    const child = spawn(command, args, {
      cwd: root,
      env: {
        PATH: process.env.PATH,
        HOME: root,
        KOMA_TEST_NODE: process.execPath,
        npm_execpath: join(root, "fixtures/npm-cli.js"),
        KOMA_DATA_DIR: join(root, "data"),
        NODE_COMPILE_CACHE: join(root, "compiled"),
        // The compiled code is valid in copies of the folder.
        NODE_COMPILE_CACHE_PORTABLE: "1",
        ...environment,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    running.add(child);
    return observe(child);
  }

  return {
    root,
    lockfile: (version: string) =>
      JSON.stringify({
        packages: {
          "": {},
          "node_modules/piscina": { version, integrity: "sha512-x" },
          "node_modules/only-elsewhere": { version: "1.0.0", optional: true },
          "node_modules/for-tests": { version: "1.0.0", dev: true },
        },
      }),
    path: (...parts: string[]) => join(root, ...parts),
    read: (file: string) => readFile(join(root, file), "utf8"),
    /** Calls of npm and of the programs so far, one per line. */
    calls: async () =>
      (await readFile(join(root, "calls.log"), "utf8").catch(() => "")).split("\n").filter(Boolean),
    /** Runs a program in the clone, with npm replaced. */
    spawn: run,
    /** Runs the starter. */
    start: (args: string[] = [], environment: Record<string, string> = {}) =>
      run(process.execPath, [join(root, starter), ...args], environment),
    /** Runs a program by `with-node`, on a machine whose `node` has this version. */
    async runOn(version: string, command: string[], environment: Record<string, string> = {}) {
      const old = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'${version}'})`;
      const script = `#!/bin/sh
[ "$*" = --version ] && { echo v${version}; exit; }
exec "$KOMA_TEST_NODE" --import "${old}" "$@"
`;
      await mkdir(join(root, "old"), { recursive: true });
      await writeFile(join(root, "old/node"), script, { mode: 0o755 });
      return run(join(root, "apps/cli/bin/with-node"), command, {
        PATH: `${join(root, "old")}:${process.env.PATH}`,
        ...environment,
      });
    },
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
