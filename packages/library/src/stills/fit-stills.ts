import { type Sharp, sharp } from "@koma/image";
import type { ShotStill } from "./still-set.ts";

/** Width of a stored still; a narrower video keeps its own. */
export const storedStillWidth = 320;

// 2 MB for 24 minutes. Short videos have more cuts per minute.
const bytesPerSecond = 1400;
const baseBytes = 64 * 1024;
const [firstQuality, ...lowerQualities] = [70, 50, 35, 20] as const;

/** Compresses a still of a shot at the quality that most videos keep. */
export async function compressStill(still: Sharp): Promise<Uint8Array> {
  return await toJpeg(still, firstQuality);
}

/**
 * Returns the stills in at most 1,400 bytes per second of video and 64 KiB: at a lower quality when they are
 * larger, and without those of the shortest shots when no quality is low enough.
 */
export async function fitStills(stills: readonly ShotStill[]): Promise<ShotStill[]> {
  const limitBytes = baseBytes + bytesPerSecond * (stills.at(-1)?.toSeconds ?? 0);
  let fitted = [...stills];
  for (const quality of lowerQualities) {
    if (sizeOf(fitted) <= limitBytes) return fitted;
    fitted = [];
    for (const still of stills) fitted.push({ ...still, jpeg: await toJpeg(sharp(still.jpeg), quality) });
  }
  let left = limitBytes;
  const stored = new Set<ShotStill>();
  for (const still of fitted.toSorted((a, b) => lengthOf(b) - lengthOf(a))) {
    left -= still.jpeg.length;
    if (left < 0) break;
    stored.add(still);
  }
  return fitted.filter((still) => stored.has(still));
}

async function toJpeg(image: Sharp, quality: number): Promise<Uint8Array> {
  return await image.jpeg({ quality, mozjpeg: true }).toBuffer();
}

function sizeOf(stills: readonly ShotStill[]): number {
  return stills.reduce((sum, { jpeg }) => sum + jpeg.length, 0);
}

function lengthOf({ fromSeconds, toSeconds }: ShotStill): number {
  return toSeconds - fromSeconds;
}
