import { randomUUID } from "node:crypto";
import { closeSync, mkdirSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/**
 * Opens a new file for reading and writing and removes its name where the system allows it, so that no file
 * remains after the process. Without a writable folder the file is in the folder for temporary files.
 */
export function openUnnamedFile(ending: string, folder?: string) {
  const { name, descriptor } = openNew(ending, folder);
  removeName(name);
  let isOpen = true;

  return {
    descriptor,
    close(): void {
      if (!isOpen) return;
      isOpen = false;
      closeSync(descriptor);
      removeName(name);
    },
  };
}

function openNew(ending: string, folder: string | undefined): { name: string; descriptor: number } {
  try {
    const inFolder = folder ?? tmpdir();
    mkdirSync(inFolder, { recursive: true, mode: 0o700 });
    const name = path.join(inFolder, `${randomUUID()}.${ending}`);
    return { name, descriptor: openSync(name, "wx+", 0o600) };
  } catch (error) {
    // A cache folder without write access must not prevent searches.
    if (folder === undefined) throw error;
    return openNew(ending, undefined);
  }
}

function removeName(name: string): void {
  try {
    rmSync(name, { force: true });
  } catch {
    // Some systems keep the name of an open file; it is removed when the file is closed.
  }
}
