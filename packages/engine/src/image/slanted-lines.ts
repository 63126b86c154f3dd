import type { EdgeMaps } from "./edge-maps.ts";

/** Tested slopes: 15 degrees around vertical and horizontal, one degree apart. */
export const MOST_DEGREES = 15;
const ANGLES = 2 * MOST_DEGREES + 1;
/** A pixel votes for the angles within this distance of its own. */
const VOTE_REACH = 5;
const LEAST_SLOPE = 8;
/** Largest vote of a pixel: a long faint line outweighs a short hard one. */
const MOST_SLOPE = 40;
const MOST_LINES = 14;

/**
 * A nearly vertical line as x = offset + tilt * (y - middle), or a nearly horizontal one with x and y
 * exchanged. `sums` are the prefix sums of the brightness change (signed, -1..1) across the line, pixel by
 * pixel.
 */
export type SlantedLine = { offset: number; tilt: number; sums: Float32Array; isBorder: boolean };

/** Votes of all pixels for lines of one direction: `ANGLES` rows of `count` offsets. */
export type LineVotes = { votes: Float32Array; count: number; length: number; isUpright: boolean };

/**
 * Hough transform of straight lines (Duda and Hart 1972) in slope and offset. Pixels vote only near the angle
 * of their own gradient (O'Gorman and Clowes 1976) and with its sign, so only edges with the same darker side
 * throughout add up.
 */
export function voteForLines({ width, height, slopeX, slopeY }: EdgeMaps, isUpright: boolean): LineVotes {
  const [count, length] = isUpright ? [width, height] : [height, width];
  const [along, beside] = isUpright ? [slopeX, slopeY] : [slopeY, slopeX];
  const votes = new Float32Array(ANGLES * count);
  const middle = length / 2;
  const tilts = Float64Array.from({ length: ANGLES }, (_, angle) => tiltOf(angle));
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const slope = along[y * width + x] ?? 0;
      const strength = Math.abs(slope);
      const other = beside[y * width + x] ?? 0;
      if (strength < LEAST_SLOPE || Math.abs(other) * 2.5 > strength) continue;
      const own = (Math.atan(-other / slope) * 180) / Math.PI + MOST_DEGREES;
      const vote = Math.sign(slope) * Math.min(strength, MOST_SLOPE);
      const at = isUpright ? x : y;
      const step = (isUpright ? y : x) - middle;
      const last = Math.min(ANGLES - 1, Math.floor(own + VOTE_REACH));
      for (let angle = Math.max(0, Math.ceil(own - VOTE_REACH)); angle <= last; angle++) {
        const offset = Math.round(at - (tilts[angle] ?? 0) * step);
        if (offset >= 0 && offset < count)
          votes[angle * count + offset] = (votes[angle * count + offset] ?? 0) + vote;
      }
    }
  }
  return { votes, count, length, isUpright };
}

/** Picks the lines with the most votes that are not close to each other, and the two borders of the image. */
export function pickLines(maps: EdgeMaps, { votes, count, length, isUpright }: LineVotes): SlantedLine[] {
  const least = length * 0.12 * LEAST_SLOPE;
  const offsets: number[] = [];
  for (let at = 0; at < votes.length; at++)
    if (Math.abs(votes[at] ?? 0) > least && isPeak(votes, at, count)) offsets.push(at);
  offsets.sort((a, b) => Math.abs(votes[b] ?? 0) - Math.abs(votes[a] ?? 0) || a - b);
  const selected: { offset: number; tilt: number }[] = [];
  for (const at of offsets) {
    if (selected.length === MOST_LINES) break;
    const line = { offset: at % count, tilt: tiltOf(Math.floor(at / count)) };
    if (selected.every((other) => areApart(line, other, length))) selected.push(line);
  }
  return [
    ...selected.map((line) => ({ ...line, isBorder: false, sums: sumAlong(maps, line, length, isUpright) })),
    ...[0, count].map((offset) => ({ offset, tilt: 0, isBorder: true, sums: new Float32Array(0) })),
  ];
}

/**
 * Returns the concentration of lines at each angle: squared votes, as in the projection profiles of Postl
 * 1986.
 */
export function energyOf({ votes, count }: LineVotes): Float64Array {
  return Float64Array.from({ length: ANGLES }, (_, angle) => {
    let sum = 0;
    for (let at = angle * count; at < (angle + 1) * count; at++) sum += (votes[at] ?? 0) ** 2;
    return sum;
  });
}

function tiltOf(angle: number): number {
  return Math.tan(((angle - MOST_DEGREES) * Math.PI) / 180);
}

function isPeak(votes: Float32Array, at: number, count: number): boolean {
  const own = Math.abs(votes[at] ?? 0);
  return [at - 1, at + 1, at - count, at + count].every((next) => Math.abs(votes[next] ?? 0) <= own);
}

function areApart(
  a: { offset: number; tilt: number },
  b: { offset: number; tilt: number },
  length: number,
): boolean {
  const rotation = (Math.abs(a.tilt - b.tilt) * length) / 2;
  return Math.abs(a.offset - b.offset) + rotation > 4;
}

function sumAlong(
  { width, height, slopeX, slopeY }: EdgeMaps,
  { offset, tilt }: { offset: number; tilt: number },
  length: number,
  isUpright: boolean,
): Float32Array {
  const slopes = isUpright ? slopeX : slopeY;
  const [limit, step, stride] = isUpright ? [width, 1, width] : [height, width, 1];
  const sums = new Float32Array(length + 1);
  for (let i = 0; i < length; i++) {
    const across = Math.round(offset + tilt * (i - length / 2));
    let clearest = 0;
    for (let near = Math.max(0, across - 1); near <= Math.min(limit - 1, across + 1); near++) {
      const slope = slopes[near * step + i * stride] ?? 0;
      if (Math.abs(slope) > Math.abs(clearest)) clearest = slope;
    }
    sums[i + 1] = (sums[i] ?? 0) + Math.max(-1, Math.min(1, clearest / 24));
  }
  return sums;
}
