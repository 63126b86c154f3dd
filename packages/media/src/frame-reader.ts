import type { Readable } from "node:stream";

/**
 * Splits a byte stream into frames of equal size and reads a few megabytes ahead, so that the writer
 * continues while the receiver computes.
 */
export function createFrameReader(stream: Readable, frameBytes: number) {
  const limit = Math.max(2, Math.ceil(readAheadBytes / frameBytes));
  const frames: Uint8Array[] = [];
  let current = new Uint8Array(frameBytes);
  let filled = 0;
  let hasEnded = false;
  let wake = () => {};

  stream.on("data", (chunk: Buffer) => {
    for (let from = 0; from < chunk.length; ) {
      const part = chunk.subarray(from, from + frameBytes - filled);
      current.set(part, filled);
      filled += part.length;
      from += part.length;
      if (filled < frameBytes) break;
      frames.push(current);
      current = new Uint8Array(frameBytes);
      filled = 0;
    }
    if (frames.length >= limit) stream.pause();
    wake();
  });
  stream.once("close", () => {
    hasEnded = true;
    wake();
  });

  return {
    /**
     * Returns the next frame when `isReady` returns true, or undefined at the end; an incomplete last frame
     * is dropped.
     */
    async next(isReady: () => boolean): Promise<Uint8Array | undefined> {
      while (!(frames.length > 0 && isReady()) && !(hasEnded && frames.length === 0)) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      const frame = frames.shift();
      if (frames.length < limit / 2 && stream.isPaused()) stream.resume();
      return frame;
    },
    /** Evaluates `isReady` again. */
    wake: () => wake(),
  };
}

const readAheadBytes = 3 * 1024 * 1024;
