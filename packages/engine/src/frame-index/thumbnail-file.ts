import { readSync } from "node:fs";
import { open } from "node:fs/promises";
import { openUnnamedFile } from "../nearest-neighbours/unnamed-file.ts";
import { frameThumbnailSize } from "../pixels/frame-thumbnail.ts";

const RECORD_BYTES = frameThumbnailSize.bytes;

/**
 * The thumbnails of the frames by label, on disk: they would double the memory of an index, and a search
 * reads a few dozen of them. The name of the open file is removed where the system allows it, so no file
 * remains after the process. Without a writable folder the file is in the folder for temporary files.
 */
export function openThumbnailFile(folder?: string) {
  const file = openUnnamedFile("thumbnails", folder);
  let isOpen = true;

  return {
    /** Stores the records of consecutive labels. */
    write: (firstLabel: number, records: Uint8Array): void => file.write(records, firstLabel * RECORD_BYTES),
    /**
     * Returns the records of `count` consecutive labels; undefined when they are not stored, or the file is
     * closed.
     */
    read(label: number, count = 1): Uint8Array | undefined {
      if (!isOpen) return undefined;
      const records = new Uint8Array(count * RECORD_BYTES);
      const bytes = readSync(file.descriptor, records, 0, records.length, label * RECORD_BYTES);
      return bytes === records.length ? records : undefined;
    },
    /** Writes the records of all labels below `count` into a new file; labels of an episode that failed have zeros. */
    async copyTo(target: string, count: number): Promise<void> {
      await using handle = await open(target, "wx");
      await file.copyTo(handle, count * RECORD_BYTES);
    },
    /** Reads the records that `copyTo` wrote. */
    async copyFrom(source: string): Promise<void> {
      await using handle = await open(source, "r");
      await file.copyFrom(handle);
    },
    close(): void {
      isOpen = false;
      file.close();
    },
  };
}

/** Thumbnails by label. */
export type ThumbnailFile = ReturnType<typeof openThumbnailFile>;
