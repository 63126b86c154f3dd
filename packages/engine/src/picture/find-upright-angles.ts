import { energyOf, type LineVotes, MOST_DEGREES } from "./slanted-lines.ts";

const LEAST_DEGREES = 2;
const SMALLEST_GAP = 3;

/**
 * By how many degrees (clockwise positive, 2 to 12) the picture may have been turned, most likely first: where its lines, which in scenes are
 * mostly upright and level, run together best.
 */
export function findUprightAngles(votes: { upright: LineVotes; level: LineVotes }, most: number): number[] {
  const [upright, level] = [energyOf(votes.upright), energyOf(votes.level)];
  // Turned clockwise, level lines fall to the right and upright ones to the left below.
  const clear = upright.map((_, at) => (upright[2 * MOST_DEGREES - at] ?? 0) + (level[at] ?? 0));
  const smooth = clear.map(
    (value, at) => ((clear[at - 1] ?? value) + 2 * value + (clear[at + 1] ?? value)) / 4,
  );
  const places = [...smooth.keys()]
    .filter((at) => {
      const degrees = Math.abs(at - MOST_DEGREES);
      return degrees >= LEAST_DEGREES && degrees <= 12;
    })
    .sort((a, b) => (smooth[b] ?? 0) - (smooth[a] ?? 0) || a - b);
  const kept: number[] = [];
  for (const at of places) {
    if (kept.length === most) break;
    if (kept.every((other) => Math.abs(other - at) >= SMALLEST_GAP)) kept.push(at);
  }
  return kept.map((at) => at + peakShift(smooth, at) - MOST_DEGREES);
}

/** Where between the neighbours a parabola through three values is highest. */
function peakShift(values: Float64Array, at: number): number {
  const [before, own, after] = [values[at - 1] ?? 0, values[at] ?? 0, values[at + 1] ?? 0];
  const bend = before - 2 * own + after;
  return bend < 0 ? Math.max(-0.5, Math.min(0.5, (0.5 * (before - after)) / bend)) : 0;
}
