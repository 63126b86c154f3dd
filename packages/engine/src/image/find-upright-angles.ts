import { energyOf, type LineVotes, MOST_DEGREES } from "./slanted-lines.ts";

const LEAST_DEGREES = 2;
const MOST_TURN = 12;

/**
 * Returns the angles in degrees (clockwise positive, 2 to 12) by which the image may be rotated: for each
 * direction the angle at which its lines, which are mostly vertical and horizontal in scenes, are most
 * concentrated. Both are returned because leaning trees and limbs can outweigh a horizon.
 */
export function findUprightAngles(votes: { upright: LineVotes; level: LineVotes }): number[] {
  const [upright, level] = [energyOf(votes.upright), energyOf(votes.level)];
  // In an image rotated clockwise, horizontal lines fall to the right and vertical ones to the left.
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

/** Returns the position of the maximum of a parabola through three values, between the neighbours. */
function peakShift(values: Float64Array, at: number): number {
  const [before, own, after] = [values[at - 1] ?? 0, values[at] ?? 0, values[at + 1] ?? 0];
  const bend = before - 2 * own + after;
  return bend < 0 ? Math.max(-0.5, Math.min(0.5, (0.5 * (before - after)) / bend)) : 0;
}
