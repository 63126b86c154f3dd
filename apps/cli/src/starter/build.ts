import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { announce } from "./announce.ts";
import { runChild } from "./run-child.ts";
import { StarterError } from "./starter-error.ts";
import type { Step, StepOptions } from "./types.ts";

/** What is built: the client of the database, and the page. Everything else runs from its source. */
const products = [
  {
    command: ["packages/database/scripts/generate.mjs"],
    folder: "packages/database/src/generated",
    inputs: ["prisma", "packages/database/scripts/generate.mjs", "package-lock.json"],
  },
  {
    command: ["node_modules/vite/bin/vite.js", "build", "--config", "apps/web/vite.config.ts"],
    folder: "apps/web/dist",
    inputs: [
      ...["apps/web/src", "apps/web/vite.config.ts", "package-lock.json"],
      ...["packages/client/src", "packages/contract/src", "packages/messages/src"],
    ],
  },
];

type Product = (typeof products)[number];

/** Builds what is older than its inputs. Throws a StarterError with the output of the failed program. */
export const ensureBuilt: Step = {
  isDone: (root) => products.every((product) => isCurrent(root, product)),
  run: buildAll,
};

async function buildAll({ root, interruption, lock }: StepOptions): Promise<void> {
  const task = announce("Building");
  let isSuccess = false;
  try {
    await Promise.all(
      products.filter((product) => !isCurrent(root, product)).map((product) => build(product)),
    );
    isSuccess = true;
  } finally {
    task.end(isSuccess);
  }

  async function build({ command }: Product): Promise<void> {
    const { code, output } = await runChild("node", [...command], { cwd: root, interruption, lock });
    if (code !== 0) throw new StarterError(`Koma could not be built:\n\n${lastLines(output)}`);
  }
}

function isCurrent(root: string, { folder, inputs }: Product): boolean {
  // Each program writes it after a complete build.
  const marker = path.join(root, folder, ".built");
  const builtMs = statSync(marker, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return inputs.every((input) => latestChangeMs(path.join(root, input)) <= builtMs);
}

/** The time of the last change of a file, or of a folder and everything in it. */
function latestChangeMs(file: string): number {
  const stat = statSync(file);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(file).map((name) => latestChangeMs(path.join(file, name))));
}

/** The end of the output, which names the failure. */
function lastLines(output: string): string {
  return output.trim().split("\n").slice(-60).join("\n");
}
