import { existsSync } from "node:fs";
import path from "node:path";
import { runBot } from "./bots.ts";
import { ensureBuilt } from "./build.ts";
import { ensureAllInstalled, ensureInstalled } from "./install.ts";
import { watchInterruption } from "./interruption.ts";
import { holdLock } from "./lock.ts";
import { runChild } from "./run-child.ts";
import { serve } from "./serve.ts";
import { StarterError } from "./starter-error.ts";
import type { Interruption } from "./types.ts";
import { watchParent } from "./watch-parent.ts";

const root = path.resolve(import.meta.dirname, "../../../..");
const interruption = watchInterruption();
watchParent();
try {
  loadEnvironmentFile();
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  if (interruption.signal.aborted) process.exitCode = interruption.exitCode();
  else if (error instanceof StarterError) {
    console.error(`\n${error.message}`);
    process.exitCode = error.exitCode;
  } else throw error;
} finally {
  interruption.stop();
}

/**
 * Without arguments starts Koma; `--koma …` runs one of its commands, `--test …` its tests, `--discord …` or
 * `--telegram …` one bot. Each first installs and builds what is missing, and `--build` does only that. Resolves
 * with the exit code.
 */
async function run([kind, ...args]: string[]): Promise<number> {
  switch (kind) {
    case undefined:
      return serve({ root, interruption, ensureReady: () => ensureReady(interruption) });
    case "--koma":
      await ensureReady(interruption);
      return runCommand(args);
    case "--discord":
    case "--telegram": {
      await ensureReady(interruption);
      return runBot({ root, name: kind === "--discord" ? "discord" : "telegram", args, interruption });
    }
    case "--build":
      await ensureReady(interruption);
      return 0;
    case "--test": {
      // turbo builds what the tests need.
      await ensureReady(interruption, [ensureAllInstalled]);
      const command = ["packages/testing/src/run-tests.ts", ...args];
      const { code } = await runChild("node", command, { cwd: root, interruption, output: "inherit" });
      return code;
    }
    default:
      throw new StarterError(
        `Unknown argument ${kind}: \`npm start\` takes none; commands are run as \`npm run koma -- ${[kind, ...args].join(" ")}\`.`,
      );
  }
}

/** Installs and builds what is missing, one starter at a time. */
async function ensureReady(
  interruption: Interruption,
  steps = [ensureInstalled, ensureBuilt],
): Promise<void> {
  if (steps.every((step) => step.isDone(root))) return;
  const lock = await holdLock(`build:${root}`, {
    interruption,
    waitingFor: "another start to finish installing",
  });
  try {
    for (const step of steps) if (!step.isDone(root)) await step.run({ root, interruption, lock });
  } finally {
    lock.release();
  }
}

/** Runs the command in this process, which saves the start of a second one. */
async function runCommand(args: string[]): Promise<number> {
  // npm runs scripts in the root folder; paths on the command line are relative to the folder of the caller.
  if (process.env.npm_lifecycle_event === "koma" && process.env.INIT_CWD) process.chdir(process.env.INIT_CWD);
  interruption.stop();
  const { run } = await import("../main.ts");
  return run(args);
}

function loadEnvironmentFile(): void {
  const file = path.join(root, ".env");
  if (existsSync(file)) process.loadEnvFile(file);
}
