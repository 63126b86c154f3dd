import type { BigIntStats } from "node:fs";
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { VideoLimits } from "./ffmpeg-tools.ts";
import { inputLimits } from "./limit-tools.ts";
import { UnreadableVideoError } from "./unreadable-video-error.ts";

/**
 * Returns input arguments that restrict ffmpeg and ffprobe to this local file: no other protocol, no playlist
 * or concatenation script with the name of a video, and no special meaning of names like `-y.mp4` or
 * `a:b%03d.mkv`.
 */
export function localInput(file: string, limits?: VideoLimits): string[] {
  return [...restrictions, ...inputLimits(limits), "-i", localUrl(file)];
}

/** Returns the address of a local file, safe for any name. */
export function localUrl(file: string): string {
  return `file:${resolve(file)}`;
}

/** Returns the facts of a file. Throws UnreadableVideoError with a plain sentence for problems that need no ffmpeg. */
export async function checkIsFile(file: string): Promise<BigIntStats> {
  const facts = await stat(file, { bigint: true }).catch((error: NodeJS.ErrnoException) => {
    throw new UnreadableVideoError(
      file,
      error.code === "ENOENT" ? "the file does not exist" : `the file cannot be read (${error.code})`,
    );
  });
  if (!facts.isFile()) throw new UnreadableVideoError(file, "not a file");
  if (facts.size === 0n) throw new UnreadableVideoError(file, "the file is empty");
  return facts;
}

const containers = "matroska,webm,mov,mp4,avi,flv,mpegts,mpeg,mpegvideo,gif,ogg,asf,m4v,rm";
const restrictions = ["-protocol_whitelist", "file,pipe", "-format_whitelist", containers];
