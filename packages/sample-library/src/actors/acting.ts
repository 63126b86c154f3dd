import { group } from "../drawing/drawing.ts";
import { going, moving, type ShotElement } from "../drawing/shot.ts";
import { bust, type Character, figure } from "./characters.ts";

/** Draws a close-up of a character that blinks, looks around, and moves the mouth while speaking. */
export function closeUp(
  who: Character,
  at: { x: number; y: number; scale: number; gaze?: [number, number]; turn?: number },
  o: { speaks?: boolean; wind?: number } = {},
): ShotElement {
  return moving(1, ({ seconds, share }) => {
    const [from, to] = at.gaze ?? [0, 0];
    const expression = {
      gaze: from + (to - from) * Math.min(1, Math.max(0, share * 4 - 1.4)),
      mouth: o.speaks ? Math.max(0, Math.sin(seconds * 10) * 0.6 + Math.sin(seconds * 17) * 0.5) : 0,
      isBlinking: (seconds + at.x * 0.01) % 2.3 > 2.1,
      wind: Math.sin(seconds * 2.2) * (o.wind ?? 0.25),
    };
    return group(
      { x: at.x, y: at.y + Math.sin(seconds * 1.7) * 1.4, scale: at.scale, turn: at.turn ?? 0 },
      bust(who, expression),
    );
  });
}

/** Draws a character that walks, or runs, from one point to another (feet; `scale` 1 is 100 high). */
export function walk(
  who: Character,
  from: { x: number; y: number; scale?: number },
  to: { x: number; y: number; scale?: number },
  o: { pace?: number; depth?: number } = {},
): ShotElement {
  const isLeftward = to.x < from.x;
  return going(o.depth ?? 1, { ...from, flip: isLeftward }, to, ({ seconds }) =>
    figure(who, seconds * (o.pace ?? 1.1)),
  );
}

/** Draws a standing character. */
export function stand(
  who: Character,
  at: { x: number; y: number; scale: number; flip?: boolean },
  depth = 1,
): ShotElement {
  return moving(depth, ({ seconds }) =>
    group({ ...at, y: at.y + Math.sin(seconds * 1.6 + at.x) * 0.8 }, figure(who, 0, false)),
  );
}

/** Draws a prop at a point again for each moment. */
export function attach(
  depth: number,
  at: { x: number; y: number; scale?: number; flip?: boolean; turn?: number },
  draw: (seconds: number) => string,
  o: { bob?: number; rock?: number } = {},
): ShotElement {
  return moving(depth, ({ seconds }) => {
    const y = at.y + Math.sin(seconds * 1.8) * (o.bob ?? 0);
    const turn = (at.turn ?? 0) + Math.sin(seconds * 1.3 + 1) * (o.rock ?? 0);
    return group({ ...at, y, turn }, draw(seconds));
  });
}
