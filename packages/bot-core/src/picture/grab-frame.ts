import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { extractStill, type FfmpegTools, probeVideo, UnreadableVideoError } from "@koma/media";
import sharp from "sharp";
import { PictureError } from "./errors.ts";
import type { FrameChoice } from "./prepare-picture.ts";

/**
 * A frame of a film as JPEG. The film stands in a folder of its own for as long as that takes. Throws PictureError.
 */
export async function grabFrame(
  film: Uint8Array,
  options: { frame: FrameChoice; mediaTools: FfmpegTools | undefined; signal: AbortSignal },
): Promise<Uint8Array> {
  const { frame, mediaTools: tools } = options;
  if (tools === undefined) throw new PictureError("unsupported");
  const folder = await mkdtemp(join(tmpdir(), "koma-film-"));
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(grabbingMs)]);
  try {
    const file = join(folder, "film");
    await writeFile(file, film, { mode: 0o600 });
    const { durationSeconds } = await probeVideo(tools, file, { signal });
    if (frame === undefined) return await grabTelling(tools, file, durationSeconds, signal);
    const atSeconds = Math.min(frame.atSeconds, durationSeconds || frame.atSeconds);
    return await extractStill(tools, file, { atSeconds, width, signal });
  } catch (cause) {
    options.signal.throwIfAborted();
    if (cause instanceof UnreadableVideoError || signal.aborted) {
      throw new PictureError("unreadable-video", { cause });
    }
    throw cause;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The first frame, unless it shows next to nothing, as films often begin: then one from further in. */
async function grabTelling(
  tools: FfmpegTools,
  file: string,
  durationSeconds: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const first = await extractStill(tools, file, { atSeconds: 0, width, signal });
  if (await isTelling(first)) return first;
  for (const atSeconds of [0.25, 0.5].map((part) => part * durationSeconds)) {
    const later = await extractStill(tools, file, { atSeconds, width, signal });
    if (await isTelling(later)) return later;
  }
  return first;
}

async function isTelling(picture: Uint8Array): Promise<boolean> {
  const { channels } = await sharp(picture).stats();
  return channels.some(({ stdev }) => stdev > 8);
}

const width = 1920;
const grabbingMs = 30_000;
