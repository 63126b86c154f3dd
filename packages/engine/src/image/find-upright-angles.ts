import { energyOf, type LineVotes, MOST_DEGREES } from "./slanted-lines.ts";

const LEAST_DEGREES = 2;
const MOST_TURN = 12;

/**
 * By how many degrees (clockwise positive, 2 to 12) the picture may have been turned: the angle of each direction at which its lines, which in scenes
 * are mostly upright and level, run together best. Which of the two it is stays open, as leaning trees and limbs can outweigh a horizon.
 */
export function findUprightAngles(votes: { upright: LineVotes; level: LineVotes }): number[] {
  const [upright, level] = [energyOf(votes.upright), energyOf(votes.level)];
  // Turned clockwise, level lines fall to the right and upright ones to the left below.
  const clear = upright.map((_, at) => (upright[2 * MOST_DEGREES - at] ?? 0) + (level[at] ?? 0));
  const smooth = clear.map(
    (value, at) => ((clear[at - 1] ?? value) + 2 * value + (clear[at + 1] ?? value)) / 4,
  );
  const bestOf = (sign: -1 | 1): number => {
    let best = MOST_DEGREES + sign * LEAST_DEGREES;
    for (let degrees = LEAST_DEGREES; degrees <= MOST_TURN; degrees++) {
      const at = MOST_DEGREES + sign * degrees;
      if ((smooth[at] ?? 0) > (smooth[best] ?? 0)) best = at;
    }
    return best + peakShift(smooth, best) - MOST_DEGREES;
  };
  return [bestOf(1), bestOf(-1)].sort(
    (a, b) =>
      (smooth[Math.round(b) + MOST_DEGREES] ?? 0) - (smooth[Math.round(a) + MOST_DEGREES] ?? 0) || a - b,
  );
}

/** Where between the neighbours a parabola through three values is highest. */
function peakShift(values: Float64Array, at: number): number {
  const [before, own, after] = [values[at - 1] ?? 0, values[at] ?? 0, values[at + 1] ?? 0];
  const bend = before - 2 * own + after;
  return bend < 0 ? Math.max(-0.5, Math.min(0.5, (0.5 * (before - after)) / bend)) : 0;
}
