import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { StarterError } from "./starter-error.mjs";

/** The data folder as an absolute path, made when it is missing; throws a StarterError when it cannot be written. */
export function openDataFolder(root) {
  const folder = path.resolve(root, process.env.KOMA_DATA_DIR || ".koma");
  try {
    makeFolder(folder);
    const probe = path.join(folder, `.writable-${process.pid}`);
    writeFileSync(probe, "");
    rmSync(probe);
  } catch (error) {
    const reasons = {
      ENOSPC: "the disk is full",
      ENOTDIR: "a file is in its place",
      EEXIST: "a file is in its place",
    };
    throw new StarterError(
      `The data folder ${folder} cannot be written (${reasons[error.code] ?? error.code}): make it writable, or take another one with \`KOMA_DATA_DIR=/another/folder npm start\`.`,
    );
  }
  return folder;
}

/** Not `recursive`: under /proc and the like that never returns (seen on Node 20). */
function makeFolder(folder) {
  if (existsSync(folder)) return;
  makeFolder(path.dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!(error.code === "EEXIST" && statSync(folder).isDirectory())) throw error;
  }
}
