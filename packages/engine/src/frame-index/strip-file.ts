import { readSync } from "node:fs";
import { open } from "node:fs/promises";
import { openUnnamedFile } from "../nearest-neighbours/unnamed-file.ts";
import type { EpisodeStrips } from "../strips/strip-builder.ts";

/** The places of the strips of an episode in a file, in order of time, with the indices of their shots. */
export type StripTable = { shotOf: Uint32Array; at: Float64Array; lengths: Uint32Array };

/**
 * The strips of the episodes of an index, on disk: a search reads a few of them. The file grows with each
 * added episode; `copyTo` omits the strips of removed ones.
 */
export function openStripFile(folder?: string) {
  const file = openUnnamedFile("strips", folder);
  let length = 0;
  let isOpen = true;

  return {
    /** Appends strips. */
    add({ shotOf, bytes }: EpisodeStrips): StripTable {
      const table = createStripTable(
        shotOf,
        bytes.map((strip) => strip.length),
        length,
      );
      for (const [at, strip] of bytes.entries()) file.write(strip, table.at[at] ?? 0);
      length += bytes.reduce((sum, strip) => sum + strip.length, 0);
      return table;
    },
    /** Returns the strips of a shot; none when the file is closed. */
    read({ shotOf, at, lengths }: StripTable, shot: number): Uint8Array[] {
      const found: Uint8Array[] = [];
      if (!isOpen) return found;
      for (let strip = firstOf(shotOf, shot); shotOf[strip] === shot; strip++) {
        const bytes = new Uint8Array(lengths[strip] ?? 0);
        if (readSync(file.descriptor, bytes, 0, bytes.length, at[strip] ?? 0) === bytes.length)
          found.push(bytes);
      }
      return found;
    },
    /** Writes the strips of these tables one after the other into a new file. */
    async copyTo(target: string, tables: readonly StripTable[]): Promise<void> {
      await using handle = await open(target, "wx");
      let to = 0;
      for (const { at, lengths } of tables) {
        for (let strip = 0; strip < at.length; strip++) {
          const bytes = new Uint8Array(lengths[strip] ?? 0);
          readSync(file.descriptor, bytes, 0, bytes.length, at[strip] ?? 0);
          await handle.write(bytes, 0, bytes.length, to);
          to += bytes.length;
        }
      }
    },
    /** Reads the strips that `copyTo` wrote into a new file. */
    async copyFrom(source: string): Promise<void> {
      await using handle = await open(source, "r");
      length = await file.copyFrom(handle);
    },
    close(): void {
      isOpen = false;
      file.close();
    },
  };
}

export type StripFile = ReturnType<typeof openStripFile>;

/** Returns the table of strips that follow each other in a file from a byte on. */
export function createStripTable(
  shotOf: ArrayLike<number>,
  lengths: ArrayLike<number>,
  firstAt: number,
): StripTable {
  const at = new Float64Array(lengths.length);
  for (let strip = 0, next = firstAt; strip < lengths.length; strip++) {
    at[strip] = next;
    next += lengths[strip] ?? 0;
  }
  return { shotOf: Uint32Array.from(shotOf), at, lengths: Uint32Array.from(lengths) };
}

function firstOf(shotOf: Uint32Array, shot: number): number {
  let [low, high] = [0, shotOf.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((shotOf[middle] ?? 0) < shot) low = middle + 1;
    else high = middle;
  }
  return low;
}
