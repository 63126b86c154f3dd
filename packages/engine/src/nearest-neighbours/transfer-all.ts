import type { FileHandle } from "node:fs/promises";

/** Writes all bytes at the position of the handle: the system writes at most 2 GiB at once. */
export async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await handle.write(bytes, done, bytes.length - done)).bytesWritten;
  }
}

/** Fills an array from a position of a file. Throws RangeError for a file that ends before. */
export async function readAll(handle: FileHandle, into: Uint8Array, from: number): Promise<void> {
  for (let done = 0; done < into.length; ) {
    const { bytesRead } = await handle.read(into, done, into.length - done, from + done);
    if (bytesRead === 0) throw new RangeError("The file ends too early.");
    done += bytesRead;
  }
}
