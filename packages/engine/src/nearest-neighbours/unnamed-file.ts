import { randomUUID } from "node:crypto";
import { closeSync, mkdirSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

const BLOCK_BYTES = 1 << 20;

/**
 * Opens a new file for reading and writing and removes its name where the system allows it, so that no file
 * remains after the process. Without a writable folder the file is in the folder for temporary files.
 */
export function openUnnamedFile(ending: string, folder?: string) {
  const { name, descriptor } = openNew(ending, folder);
  removeName(name);
  let isOpen = true;

  function write(bytes: Int8Array | Uint8Array, at: number): void {
    for (let done = 0; done < bytes.length; )
      done += writeSync(descriptor, bytes, done, bytes.length - done, at + done);
  }

  return {
    descriptor,
    write,
    /** Writes the first `length` bytes to another file; those that were not written here are zeros. */
    async copyTo(handle: FileHandle, length: number): Promise<void> {
      const block = new Uint8Array(BLOCK_BYTES);
      for (let at = 0; at < length; ) {
        const byteCount = Math.min(block.length, length - at);
        block.fill(0, readSync(descriptor, block, 0, byteCount, at), byteCount);
        await handle.write(block, 0, byteCount);
        at += byteCount;
      }
    },
    /** Reads another file from a position on, all or `length` bytes; returns how many there were. */
    async copyFrom(handle: FileHandle, from = 0, length = Number.POSITIVE_INFINITY): Promise<number> {
      const block = new Uint8Array(BLOCK_BYTES);
      for (let at = 0; at < length; ) {
        const { bytesRead } = await handle.read(block, 0, Math.min(block.length, length - at), from + at);
        if (bytesRead === 0) return at;
        write(block.subarray(0, bytesRead), at);
        at += bytesRead;
      }
      return length;
    },
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
