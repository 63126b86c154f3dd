import type { SampledFrames } from "./sampled-frames.ts";

/** A part of an episode, in seconds. The other one contains it `offset` seconds later. */
export type SharedRun = { from: number; to: number; offset: number };

/** Least cosine of two frames of the same content; the names over an opening differ from episode to episode. */
const leastCosine = 0.85;
/** Two episodes sample a long shot at other times. */
const toleranceSeconds = 1;
/** Frames of the run without a counterpart, such as the title of the episode, may take this long together. */
const longestGapSeconds = 6;
const leastShare = 0.7;
const leastFrames = 12;
const leastShots = 4;
const mostOffsets = 6;

/**
 * The runs of shots of one episode that the other contains at one distance in time, `least` to `most` seconds long.
 * The vote over distances is that of audio fingerprints (Wang, ISMIR 2003).
 */
export function findSharedRuns(
  one: SampledFrames,
  other: SampledFrames,
  { least, most }: { least: number; most: number },
): SharedRun[] {
  const pairs = findPairs(one, other);
  const runs: SharedRun[] = [];
  for (const about of findOffsets(pairs)) {
    const isShared = new Uint8Array(one.count);
    const near = pairs.filter(({ offset }) => Math.abs(offset - about) <= toleranceSeconds);
    for (const { frame } of near) isShared[frame] = 1;
    const offset = near.reduce((sum, pair) => sum + pair.offset, 0) / near.length;
    for (const { from, to } of splitRuns(one, isShared)) {
      const length = to - from;
      if (length < least || length > most) continue;
      if (!runs.some((known) => known.from < to && from < known.to)) runs.push({ from, to, offset });
    }
  }
  return runs;
}

/** A frame, and the distance in time to a frame of the other episode with the same content. */
type Pair = { frame: number; offset: number };

function findPairs(one: SampledFrames, other: SampledFrames): Pair[] {
  const { dimensions } = one;
  const pairs: Pair[] = [];
  for (let frame = 0; frame < one.count; frame++) {
    const start = frame * dimensions;
    for (let candidate = 0; candidate < other.count; candidate++) {
      const otherStart = candidate * dimensions;
      let product = 0;
      for (let at = 0; at < dimensions; at++)
        product += (one.vectors[start + at] ?? 0) * (other.vectors[otherStart + at] ?? 0);
      if (product * (one.scales[frame] ?? 0) * (other.scales[candidate] ?? 0) < leastCosine) continue;
      pairs.push({ frame, offset: (other.atSeconds[candidate] ?? 0) - (one.atSeconds[frame] ?? 0) });
    }
  }
  return pairs;
}

/** The distances in time at which most frames have a counterpart, most first. */
function findOffsets(pairs: readonly Pair[]): number[] {
  const framesAt = new Map<number, Set<number>>();
  for (const { frame, offset } of pairs) {
    for (const bin of [Math.floor(offset / toleranceSeconds), Math.ceil(offset / toleranceSeconds)]) {
      const frames = framesAt.get(bin) ?? new Set();
      framesAt.set(bin, frames.add(frame));
    }
  }
  const sorted = [...framesAt]
    .filter(([, frames]) => frames.size >= leastFrames)
    .sort(([, a], [, b]) => b.size - a.size);
  const chosen: number[] = [];
  for (const [bin] of sorted) {
    if (chosen.every((earlier) => Math.abs(earlier - bin) > 1)) chosen.push(bin);
    if (chosen.length === mostOffsets) break;
  }
  return chosen.map((bin) => bin * toleranceSeconds);
}

/** The parts of an episode in which nearly all frames are shared. */
function splitRuns({ count, atSeconds, untilSeconds, shotOf }: SampledFrames, isShared: Uint8Array) {
  const runs: Pick<SharedRun, "from" | "to">[] = [];
  let current = emptyRun();
  for (let frame = 0; frame < count; frame++) {
    if (isShared[frame] !== 1) continue;
    const [at, until] = [atSeconds[frame] ?? 0, untilSeconds[frame] ?? 0];
    if (at - current.to > longestGapSeconds) {
      close();
      current = { ...emptyRun(), from: at };
    }
    current.to = until;
    current.sharedSeconds += until - at;
    current.frames += 1;
    current.shots.add(shotOf[frame] ?? 0);
  }
  close();
  return runs;

  function close(): void {
    const { from, to, frames, shots, sharedSeconds } = current;
    const isDense = sharedSeconds >= leastShare * (to - from);
    if (frames >= leastFrames && shots.size >= leastShots && isDense) runs.push({ from, to });
  }
}

function emptyRun() {
  return { from: 0, to: Number.NEGATIVE_INFINITY, frames: 0, shots: new Set<number>(), sharedSeconds: 0 };
}
