import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { StarterError } from "./starter-error.ts";

/**
 * The absolute path of the data folder, which is created when it is missing. Throws a StarterError when it is
 * not writable.
 */
export function openDataFolder(root: string): string {
  const folder = path.resolve(root, process.env.KOMA_DATA_DIR || ".koma");
  try {
    makeFolder(folder);
    const probe = path.join(folder, `.writable-${process.pid}`);
    writeFileSync(probe, "");
    rmSync(probe);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown error";
    const reasons: Record<string, string> = {
      ENOSPC: "the disk is full",
      ENOTDIR: "a file is in its place",
      EEXIST: "a file is in its place",
    };
    throw new StarterError(
      `The data folder ${folder} cannot be written (${reasons[code] ?? code}): make it writable, or use another one with \`KOMA_DATA_DIR=/another/folder npm start\`.`,
    );
  }
  return folder;
}

/** Without `recursive`, which never returns under /proc (tried with Node 24.21). */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(path.dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (!(code === "EEXIST" && statSync(folder).isDirectory())) throw error;
  }
}
