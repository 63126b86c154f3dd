import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { runBot } from "./bots.mjs";
import { ensureBuilt } from "./build.mjs";
import { ensureInstalled } from "./install.mjs";
import { watchInterruption } from "./interruption.mjs";
import { holdLock } from "./lock.mjs";
import { programFile } from "./programs.mjs";
import { runChild } from "./run-child.mjs";
import { serve } from "./serve.mjs";
import { StarterError } from "./starter-error.mjs";
import { watchParent } from "./watch-parent.mjs";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/**
 * `start.mjs` starts Koma, `start.mjs --koma …` runs one of its commands, `start.mjs --test` its tests,
 * `start.mjs --discord` or `--telegram` one bot. Each first installs and builds what is missing. Sets the exit code.
 * @param {string[]} args
 */
export async function main(args) {
  const interruption = watchInterruption();
  watchParent();
  try {
    loadEnvironmentFile();
    process.exitCode = await run(args, interruption);
  } catch (error) {
    if (interruption.signal.aborted) process.exitCode = interruption.exitCode();
    else if (error instanceof StarterError) {
      console.error(`\n${error.message}`);
      process.exitCode = error.exitCode;
    } else throw error;
  } finally {
    interruption.stop();
  }
}

/**
 * @param {string[]} args
 * @param {ReturnType<typeof watchInterruption>} interruption
 * @returns {Promise<number>}
 */
async function run(args, interruption) {
  if (args[0] === "--koma") {
    await ensureReady(interruption);
    return runCommand(args.slice(1), interruption);
  }
  if (args[0] === "--discord" || args[0] === "--telegram") {
    await ensureReady(interruption);
    return runBot({
      root,
      name: args[0] === "--discord" ? "discord" : "telegram",
      args: args.slice(1),
      interruption,
    });
  }
  if (args[0] === "--test") {
    await ensureReady(interruption);
    const { code } = await runChild("npm", ["run", "--silent", "test:ci", "--", ...args.slice(1)], {
      cwd: root,
      interruption,
      output: "inherit",
    });
    return code;
  }
  if (args.length > 0) {
    throw new StarterError(
      `Unknown argument ${args[0]}: \`npm start\` takes none; commands are run as \`npm run koma -- ${args.join(" ")}\`.`,
    );
  }
  return serve({ root, interruption, ensureReady: () => ensureReady(interruption) });
}

/**
 * Installs and builds what is missing, one starter at a time.
 * @param {import("./types.d.ts").Interruption} interruption
 */
async function ensureReady(interruption) {
  const steps = [ensureInstalled, ensureBuilt];
  if (steps.every((step) => step.isDone(root))) return;
  const lock = await holdLock(`build:${root}`, {
    interruption,
    waitingFor: "another start to finish installing",
  });
  try {
    for (const step of steps) if (!step.isDone(root)) await step({ root, interruption, lock });
  } finally {
    lock.release();
  }
}

/**
 * Runs the command in this process, which saves the start of a second one.
 * @param {string[]} args
 * @param {ReturnType<typeof watchInterruption>} interruption
 */
async function runCommand(args, interruption) {
  // npm runs scripts in the root folder; paths on the command line are relative to the folder of the caller.
  if (process.env.npm_lifecycle_event === "koma" && process.env.INIT_CWD) process.chdir(process.env.INIT_CWD);
  interruption.stop();
  const { run } = await import(pathToFileURL(programFile("@koma/cli/main")).href);
  return run(args);
}

function loadEnvironmentFile() {
  const file = path.join(root, ".env");
  if (!existsSync(file)) return;
  if (process.loadEnvFile) process.loadEnvFile(file);
}
