import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { StarterError } from "./starter-error.mjs";

/** The data folder as an absolute path, made when it is missing; throws a StarterError when it cannot be written. */
export function openDataFolder(root) {
  const folder = path.resolve(root, process.env.KOMA_DATA_DIR || ".koma");
  const probe = path.join(folder, `.writable-${process.pid}`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(probe, "");
  } catch (error) {
    const reason = {
      ENOSPC: "the disk is full",
      ENOTDIR: "a file is in its place",
      EEXIST: "a file is in its place",
    };
    throw new StarterError(
      `The data folder ${folder} cannot be written (${reason[error.code] ?? error.code}): make it writable, or take another one with \`KOMA_DATA_DIR=/another/folder npm start\`.`,
    );
  } finally {
    rmSync(probe, { force: true });
  }
  return folder;
}
