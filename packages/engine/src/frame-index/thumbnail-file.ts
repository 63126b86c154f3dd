import { readSync, writeSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { openUnnamedFile } from "../nearest-neighbours/unnamed-file.ts";
import { frameThumbnailSize } from "../pixels/frame-thumbnail.ts";

const RECORD_BYTES = frameThumbnailSize.bytes;
const BLOCK_BYTES = 1 << 20;

/**
 * The thumbnails of the frames by label, on disk: they would double the memory of an index, and a search
 * reads a few dozen of them. The name of the open file is removed where the system allows it, so no file
 * remains after the process. Without a writable folder the file is in the folder for temporary files.
 */
export function openThumbnailFile(folder?: string) {
  const { descriptor: file, close } = openUnnamedFile("thumbnails", folder);
  let isOpen = true;

  return {
    /** Stores the records of consecutive labels. */
    write(firstLabel: number, records: Uint8Array): void {
      for (let done = 0; done < records.length; ) {
        done += writeSync(file, records, done, records.length - done, firstLabel * RECORD_BYTES + done);
      }
    },
    /**
     * Returns the records of `count` consecutive labels; undefined when they are not stored, or the file is
     * closed.
     */
    read(label: number, count = 1): Uint8Array | undefined {
      if (!isOpen) return undefined;
      const records = new Uint8Array(count * RECORD_BYTES);
      const bytes = readSync(file, records, 0, records.length, label * RECORD_BYTES);
      return bytes === records.length ? records : undefined;
    },
    /** Writes the records of all labels below `count` into a new file. */
    async copyTo(target: string, count: number): Promise<void> {
      await using handle = await open(target, "wx");
      await copyBlocks(file, handle, count * RECORD_BYTES);
    },
    /** Reads the records that `copyTo` wrote. */
    async copyFrom(source: string): Promise<void> {
      await using handle = await open(source, "r");
      const block = new Uint8Array(BLOCK_BYTES);
      for (let at = 0; ; ) {
        const { bytesRead } = await handle.read(block, 0, block.length, at);
        if (bytesRead === 0) break;
        writeSync(file, block, 0, bytesRead, at);
        at += bytesRead;
      }
    },
    close(): void {
      isOpen = false;
      close();
    },
  };
}

/** Thumbnails by label. */
export type ThumbnailFile = ReturnType<typeof openThumbnailFile>;

async function copyBlocks(from: number, to: FileHandle, length: number): Promise<void> {
  const block = new Uint8Array(BLOCK_BYTES);
  for (let at = 0; at < length; ) {
    // Records that were not written (labels of an episode that failed) read as zeros, or have no bytes at the
    // end of the file.
    const byteCount = Math.min(block.length, length - at);
    block.fill(0, readSync(from, block, 0, byteCount, at), byteCount);
    await to.write(block, 0, byteCount, at);
    at += byteCount;
  }
}
