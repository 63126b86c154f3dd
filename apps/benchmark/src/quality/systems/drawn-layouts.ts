import { appendFile, mkdir, readFile, truncate } from "node:fs/promises";
import { join } from "node:path";
import { drawnFrames } from "../distractors/drawn-frames.ts";
import { describeColourLayout, layoutLength } from "./colour-layout.ts";
import type { Progress } from "./system.ts";

const size = { width: 64, height: 64 } as const;
const framesPerWrite = 10_000;

/**
 * Returns the colour layouts of the first `count` drawn frames. With a folder they are stored there, so that
 * a later run, or one after an interruption, draws only the missing ones.
 */
export async function describeDrawnLayouts(
  folder: string | undefined,
  count: number,
  onProgress: Progress,
): Promise<Uint8Array> {
  const layouts = new Uint8Array(count * layoutLength);
  const file = folder === undefined ? undefined : join(folder, "drawn-layouts.bin");
  let done = 0;
  if (file !== undefined && folder !== undefined) {
    await mkdir(folder, { recursive: true });
    await appendFile(file, "");
    const saved = await readFile(file);
    // A process that was killed during a write leaves a part of a layout.
    const whole = Math.floor(saved.length / layoutLength);
    await truncate(file, whole * layoutLength);
    done = Math.min(count, whole);
    layouts.set(saved.subarray(0, done * layoutLength));
  }
  let written = done;
  const write = async () => {
    if (file !== undefined)
      await appendFile(file, layouts.subarray(written * layoutLength, done * layoutLength));
    written = done;
    onProgress(done, count);
  };
  for await (const pixels of drawnFrames(count - done, size, done)) {
    layouts.set(describeColourLayout({ ...size, pixels }), done * layoutLength);
    done++;
    if (done % framesPerWrite === 0) await write();
  }
  if (done > written) await write();
  return layouts;
}
