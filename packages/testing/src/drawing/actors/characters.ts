import { light, shade } from "../colors.ts";
import { cel, circle, ellipse, flat, group, line, path, stroke } from "../drawing.ts";

/** The appearance of a character, equal in every shot. */
export type Character = {
  skin: string;
  hair: string;
  eyes: string;
  clothes: string;
  accent: string;
  style: "long" | "bob" | "spiky" | "bun" | "twin";
};

/** The state of a face at a moment. */
type Expression = {
  /** -1 left .. 1 right */
  style: number;
  /** 0 closed .. 1 open */
  mouth: number;
  isBlinking: boolean;
  /** Wind in the hair, -1..1 */
  wind: number;
};

const ink = "#2b2238";

/** Draws head and shoulders around the origin (the middle of the face), about 130 high. */
export function bust(who: Character, { style, mouth, isBlinking, wind }: Expression): string {
  const eye = (side: number) =>
    group({ x: side * 17 + style * 4, y: 8 }, isBlinking ? closedEye(side) : openEye(who, style, side));
  return [
    hairBehind(who, wind),
    path(cel(who.clothes, ink, 2))`M-20 52 Q-54 58 -70 84 L-78 130 H78 L70 84 Q54 58 20 52 Z`,
    path(cel(who.accent, ink, 1.6))`M-22 54 L0 84 L22 54 L14 50 L0 66 L-14 50 Z`,
    path(cel(shade(who.skin), ink, 1.6))`M-12 38 V56 Q0 66 12 56 V38 Z`,
    path(
      cel(who.skin, ink, 2),
    )`M-38 -8 Q-40 22 -22 36 Q-8 47 0 48 Q8 47 22 36 Q40 22 38 -8 Q36 -42 0 -42 Q-36 -42 -38 -8 Z`,
    path(flat(shade(who.skin), 0.6))`M-37 -10 Q-20 -2 0 -6 Q20 -2 37 -10 L36 -30 H-36 Z`,
    ellipse(-24 + style * 3, 24, 6, 3, flat("#e8707a", 0.4)),
    ellipse(24 + style * 3, 24, 6, 3, flat("#e8707a", 0.4)),
    eye(-1),
    eye(1),
    path(stroke(ink, 1.8))`M${-25 + style * 4} -9 q7 -4 14 -1`,
    path(stroke(ink, 1.8))`M${25 + style * 4} -9 q-7 -4 -14 -1`,
    path(stroke(shade(who.skin), 2))`M${style * 6} 20 l2 4`,
    mouth < 0.15
      ? path(stroke(ink, 1.8))`M${-6 + style * 4} 33 q6 ${4} 12 0`
      : path(
          cel("#a8384c", ink, 1.6),
        )`M${-7 + style * 4} 31 q7 -2 14 0 q-1 ${5 + 9 * mouth} -7 ${5 + 9 * mouth} q-6 0 -7 ${-5 - 9 * mouth} Z`,
    hairInFront(who, wind),
  ].join("");
}

/** Draws a whole figure with its feet on the origin, 100 high, from the side; `phase` swings the limbs. */
export function figure(who: Character, phase: number): string {
  const swing = Math.sin(phase * Math.PI * 2);
  const bob = Math.abs(Math.cos(phase * Math.PI * 2)) * 2;
  const leg = (side: number) => {
    const foot = side * swing * 15;
    const lift = Math.max(0, -side * Math.cos(phase * Math.PI * 2)) * 6;
    return (
      line(
        [
          [side * 2, -44 - bob],
          [foot * 0.5 + 2, -23 - lift],
          [foot, -3 - lift],
        ],
        stroke(ink, 10),
      ) +
      line(
        [
          [side * 2, -44 - bob],
          [foot * 0.5 + 2, -23 - lift],
          [foot, -3 - lift],
        ],
        stroke(shade(who.clothes), 7),
      ) +
      path(cel(ink, ink, 1))`M${foot - 4} ${-5 - lift} h9 q4 5 0 5 h-9 Z`
    );
  };
  const arm = (side: number) => {
    const hand = -side * swing * 14;
    const style = line(
      [
        [0, -66 - bob],
        [hand * 0.4 - 2, -54 - bob],
        [hand, -43 - bob],
      ],
      stroke(ink, 8),
    );
    const sleeve = line(
      [
        [0, -66 - bob],
        [hand * 0.4 - 2, -54 - bob],
        [hand, -43 - bob],
      ],
      stroke(who.clothes, 5.4),
    );
    return style + sleeve + circle(hand, -42 - bob, 3.4, cel(who.skin, ink, 1.2));
  };
  return [
    leg(-1),
    arm(-1),
    leg(1),
    path(
      cel(who.clothes, ink, 1.6),
    )`M-9 ${-72 - bob} Q0 ${-76 - bob} 9 ${-72 - bob} L14 ${-40 - bob} Q0 ${-34 - bob} -14 ${-40 - bob} Z`,
    path(flat(who.accent))`M-12 ${-50 - bob} L13 ${-50 - bob} L13.5 ${-45 - bob} L-13 ${-45 - bob} Z`,
    arm(1),
    group({ y: -88 - bob, scale: 0.37 }, head(who, swing)),
  ].join("");
}

/** Draws a figure's head: the bust without shoulders. */
function head(who: Character, wind: number): string {
  return [
    hairBehind(who, wind),
    path(
      cel(who.skin, ink, 4),
    )`M-38 -8 Q-40 22 -22 36 Q-8 47 0 48 Q8 47 22 36 Q40 22 38 -8 Q36 -42 0 -42 Q-36 -42 -38 -8 Z`,
    ellipse(-8, 10, 5, 9, flat(ink)),
    ellipse(24, 10, 5, 9, flat(ink)),
    path(stroke(ink, 3))`M4 32 q5 4 10 0`,
    hairInFront(who, wind),
  ].join("");
}

function openEye(who: Character, style: number, side: number): string {
  return [
    ellipse(0, 2, 10, 12, flat("#ffffff")),
    ellipse(style * 3, 3, 7.4, 10.4, flat(shade(who.eyes))),
    ellipse(style * 3, 6, 6.4, 7, flat(who.eyes)),
    ellipse(style * 3, 3, 3.2, 5, flat(ink)),
    circle(style * 3 - 3, -2, 2.8, flat("#ffffff")),
    circle(style * 3 + 3, 8, 1.4, flat("#ffffff")),
    path(stroke(ink, 3.2))`M${-11} ${side < 0 ? 0 : -4} Q${-6} -13 4 -10 Q10 -9 11 ${side < 0 ? -4 : 0}`,
  ].join("");
}

function closedEye(side: number): string {
  return path(stroke(ink, 3))`M-10 ${2 + side} Q0 10 10 ${2 - side}`;
}

function hairBehind(who: Character, wind: number): string {
  const style = cel(shade(who.hair), ink, 2);
  const w = wind * 12;
  switch (who.style) {
    case "long":
      return path(
        style,
      )`M-44 -14 Q-52 40 ${-56 + w} 108 Q${-20 + w} 118 0 96 Q${20 + w} 118 ${56 + w} 108 Q52 40 44 -14 Q30 -58 0 -58 Q-30 -58 -44 -14 Z`;
    case "twin":
      return (
        path(style)`M-40 -22 Q-84 -10 ${-80 + w} 60 Q${-66 + w} 74 ${-58 + w} 56 Q-52 20 -34 0 Z` +
        path(style)`M40 -22 Q84 -10 ${80 + w} 60 Q${66 + w} 74 ${58 + w} 56 Q52 20 34 0 Z`
      );
    case "bun":
      return circle(0, -62, 19, style) + path(style)`M-42 -14 Q-46 24 -34 40 H34 Q46 24 42 -14 Z`;
    case "bob":
      return path(style)`M-45 -12 Q-52 34 ${-42 + w / 2} 46 Q0 58 ${42 + w / 2} 46 Q52 34 45 -12 Z`;
    case "spiky":
      return path(style)`M-44 -4 L-58 18 L-42 14 L-46 36 L-28 24 H28 L46 36 L42 14 L58 18 L44 -4 Z`;
  }
}

function hairInFront(who: Character, wind: number): string {
  const style = cel(who.hair, ink, 2);
  const w = wind * 5;
  const shine = path(stroke(light(who.hair), 4))`M-22 -44 Q-4 -52 16 -47`;
  switch (who.style) {
    case "long":
      return (
        path(
          style,
        )`M-43 16 Q-52 -60 0 -62 Q52 -60 43 16 Q${38 + w} 0 34 -14 L${24 + w} -24 L${16 + w} -8 L4 -26 L${-10 + w} -6 L-18 -26 L${-30 + w} -4 Q-38 4 -43 16 Z` +
        shine
      );
    case "bob":
      return (
        path(
          style,
        )`M-44 26 Q-54 -60 0 -62 Q54 -60 44 26 Q36 12 35 -12 Q0 ${-22 + w} -35 -12 Q-36 12 -44 26 Z` + shine
      );
    case "spiky":
      return path(
        style,
      )`M-42 10 L-50 -22 L-40 -30 L-46 -54 L-24 -50 L-14 -74 L4 -54 L26 -70 L28 -48 L50 -48 L42 -26 L50 -10 L42 10 L${34 + w} -16 L${18 + w} -4 L8 -24 L${-8 + w} -2 L-16 -24 L${-34 + w} -6 Z`;
    case "bun":
      return (
        path(
          style,
        )`M-42 14 Q-50 -56 0 -58 Q50 -56 42 14 Q36 -8 20 -22 Q${-10 + w} -14 -30 -20 Q-38 -6 -42 14 Z` + shine
      );
    case "twin":
      return (
        path(
          style,
        )`M-42 18 Q-52 -60 0 -60 Q52 -60 42 18 Q36 4 33 -14 L${18 + w} -20 L${8 + w} -4 L-2 -22 L${-14 + w} -6 L-22 -22 L-33 -10 Q-38 4 -42 18 Z` +
        circle(-40, -24, 7, cel(who.accent, ink, 1.6)) +
        circle(40, -24, 7, cel(who.accent, ink, 1.6)) +
        shine
      );
  }
}
