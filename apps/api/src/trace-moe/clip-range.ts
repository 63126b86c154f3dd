import { z } from "zod";

/** The signed part of the address of a clip: scene, frame and duration of the video in milliseconds. */
export const ClipCut = z.string().regex(/^\d{1,10}(-\d{1,10}){3}\.mp4$/);

type Scene = { from: number; to: number; timestamp: number; durationSeconds: number };

/** Writes what the range of a clip is computed from. */
export function describeClip({ from, to, timestamp, durationSeconds }: Scene): string {
  const ms = [from, to, timestamp, durationSeconds].map((seconds) => Math.max(0, Math.round(seconds * 1000)));
  return `${ms.join("-")}.mp4`;
}

/**
 * The range of a clip as trace.moe cuts it: the scene, of which at most `maxDuration` seconds on each side of the frame
 * (0.5 to 5, default 5), and at least `minDuration` on each side (0.5 to 2, default 0.5). Both are rounded to halves,
 * so that an address has few variants.
 */
export function chooseRange(
  [from = 0, to = 0, at = 0, duration = 0]: readonly number[],
  query: { minDuration?: unknown; maxDuration?: unknown },
): { fromSeconds: number; toSeconds: number } {
  const least = limit(query.minDuration, { lowest: 0.5, highest: 2, otherwise: 0.5 });
  const most = limit(query.maxDuration, { lowest: 0.5, highest: 5, otherwise: 5 });
  return {
    fromSeconds: Math.max(0, Math.min(Math.max(from, at - most), at - least)),
    toSeconds: Math.min(Math.max(duration, at), Math.max(Math.min(to, at + most), at + least)),
  };
}

function limit(
  written: unknown,
  { lowest, highest, otherwise }: { lowest: number; highest: number; otherwise: number },
): number {
  const halves = Math.round((Number(written) || otherwise) * 2) / 2;
  return Math.min(Math.max(halves, lowest), highest);
}
