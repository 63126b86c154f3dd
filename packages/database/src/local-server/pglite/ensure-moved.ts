import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { DatabaseUnavailableError } from "../../errors.ts";
import { explainLock, isUnreachable } from "../ensure-server.ts";
import { serverExitCodes } from "../server-exit-codes.ts";
import type { ServerFolder } from "../server-folder.ts";
import { isMoveNeeded } from "./old-database.ts";

const pauseMs = 250;

/**
 * Moves the database of a version with PGlite to PostgreSQL, or waits for the process that does. `onLog` gets
 * what happened and how to go back. Throws DatabaseUnavailableError.
 */
export async function ensureMoved(serverFolder: ServerFolder, onLog: (line: string) => void): Promise<void> {
  while (isMoveNeeded(serverFolder)) {
    // The process takes the memory of PGlite with it.
    const { code, problem } = await runMove(serverFolder, onLog);
    if (code === serverExitCodes.lockedByAnother) {
      if (await isUnreachable(serverFolder)) {
        throw new DatabaseUnavailableError(await explainLock(serverFolder));
      }
      await pause(pauseMs);
    } else if (code !== 0) {
      throw new DatabaseUnavailableError(
        `The database in ${serverFolder.folder} was not moved to PostgreSQL: ${problem}.`,
      );
    }
  }
}

async function runMove(
  { folder }: ServerFolder,
  onLog: (line: string) => void,
): Promise<{ code: number | null; problem: string }> {
  const entry = fileURLToPath(new URL("./move.ts", import.meta.url));
  const child = spawn(process.execPath, [entry, folder], { stdio: ["ignore", "pipe", "pipe"] });
  let problem = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    problem += text;
  });
  createInterface({ input: child.stdout }).on("line", onLog);
  const [code, signal] = await once(child, "close");
  return {
    code,
    problem: problem.trim().split("\n").at(-1) || `it ended with ${signal ?? `exit code ${code}`}`,
  };
}
