import { mix, shade } from "../drawing/colors.ts";
import { cel, circle, ellipse, flat, group, line, path, polygon, rect, stroke } from "../drawing/drawing.ts";
import type { Random } from "../drawing/random.ts";
import { moving, type ShotElement } from "../drawing/shot.ts";

/** Draws a fox that trots to the right, feet on the origin, about 60 long. */
export function fox(phase: number, fur = "#e8843c"): string {
  const s = Math.sin(phase * Math.PI * 2) * 7;
  const leg = (x: number, swing: number) =>
    line(
      [
        [x, -16],
        [x + swing, -1],
      ],
      stroke("#2b2238", 7),
    ) +
    line(
      [
        [x, -16],
        [x + swing, -2],
      ],
      stroke(shade(fur), 4.4),
    );
  return [
    path(
      cel(fur),
    )`M-24 -22 Q-44 ${-24 + s} -56 ${-36 + s} Q-58 ${-18 + s} -40 ${-14 + s / 2} Q-30 -12 -22 -14 Z`,
    path(cel("#fff4e4", "#2b2238", 1))`M-56 ${-36 + s} Q-58 ${-18 + s} -46 ${-16 + s} L-46 ${-30 + s} Z`,
    leg(-18, -s),
    leg(16, s),
    path(cel(fur))`M-26 -20 Q-24 -32 0 -30 Q20 -30 24 -22 Q24 -10 8 -11 H-18 Q-26 -12 -26 -20 Z`,
    leg(-13, s),
    leg(21, -s),
    path(cel(fur))`M16 -30 L18 -50 L28 -42 Q34 -43 38 -36 L52 -28 Q44 -20 32 -20 Q20 -20 16 -30 Z`,
    path(flat("#fff4e4"))`M52 -28 Q44 -20 32 -20 Q34 -27 42 -29 Z`,
    circle(34, -33, 2, flat("#2b2238")),
    circle(51, -28, 2.4, flat("#2b2238")),
  ].join("");
}

/** Draws a sitting cat with a waving tail, feet on the origin. */
export function cat(seconds: number, fur: string): string {
  const wave = Math.sin(seconds * 2.4) * 10;
  return [
    path(stroke("#2b2238", 9))`M16 -6 q24 0 22 -22 q0 -12 ${wave} -18`,
    path(stroke(fur, 6))`M16 -6 q24 0 22 -22 q0 -12 ${wave} -18`,
    path(cel(fur))`M-20 0 Q-26 -34 -8 -44 H8 Q26 -34 20 0 Z`,
    path(cel(fur))`M-20 -52 L-22 -76 L-8 -66 H8 L22 -76 L20 -52 Q16 -38 0 -38 Q-16 -38 -20 -52 Z`,
    ellipse(-8, -54, 3.2, 4.6, flat("#f6d04c")),
    ellipse(8, -54, 3.2, 4.6, flat("#f6d04c")),
    ellipse(-8, -54, 1.2, 4, flat("#2b2238")),
    ellipse(8, -54, 1.2, 4, flat("#2b2238")),
    path(stroke("#2b2238", 1.4))`M-3 -46 l3 2 l3 -2`,
  ].join("");
}

/** Draws a folded paper boat, waterline at the origin, about 100 wide. */
export function paperBoat(color = "#ffffff"): string {
  return (
    polygon(
      [
        [-50, -20],
        [50, -20],
        [30, 6],
        [-30, 6],
      ],
      cel(color),
    ) +
    polygon(
      [
        [-22, -20],
        [0, -62],
        [22, -20],
      ],
      cel(mix(color, "#8aa0c8", 0.25)),
    ) +
    polygon(
      [
        [0, -62],
        [22, -20],
        [0, -20],
      ],
      cel(mix(color, "#8aa0c8", 0.45)),
    ) +
    polygon(
      [
        [-50, -20],
        [0, -20],
        [-30, 6],
      ],
      cel(mix(color, "#8aa0c8", 0.15)),
    )
  );
}

/** Draws a sailing boat, waterline at the origin. */
export function sailBoat(sail: string, hull: string): string {
  return (
    path(cel(hull))`M-46 -12 H52 Q44 10 26 10 H-26 Q-42 8 -46 -12 Z` +
    rect(-2, -96, 4, 84, cel("#6a4632")) +
    path(cel(sail))`M4 -94 Q46 -54 42 -18 H4 Z` +
    path(cel(mix(sail, "#ffffff", 0.5)))`M-4 -86 Q-34 -50 -36 -18 H-4 Z`
  );
}

/** Draws a small rocket ship that flies to the right, with its flame, around the origin. */
export function rocket(body: string, seconds: number): string {
  const flame = 22 + 9 * Math.sin(seconds * 30);
  return [
    path(flat("#ffd35c"))`M-44 -9 L${-46 - flame} 0 L-44 9 Z`,
    path(flat("#fff6d8"))`M-44 -5 L${-46 - flame * 0.5} 0 L-44 5 Z`,
    polygon(
      [
        [-40, -12],
        [-56, -32],
        [-22, -14],
      ],
      cel(shade(body)),
    ),
    polygon(
      [
        [-40, 12],
        [-56, 32],
        [-22, 14],
      ],
      cel(shade(body)),
    ),
    path(cel(body))`M-44 -14 Q10 -24 58 0 Q10 24 -44 14 Z`,
    path(flat(shade(body), 0.5))`M-44 4 Q10 8 58 0 Q10 24 -44 14 Z`,
    ellipse(20, -4, 12, 7, cel("#bfeaf5")),
    rect(-26, -5, 22, 6, flat("#f25c54"), 3),
  ].join("");
}

/** Draws a robot, feet on the origin, 150 high; `lift` raises its arm, 0..1. */
export function robot(body: string, accent: string, phase: number, lift = 0): string {
  const step = Math.sin(phase * Math.PI * 2) * 6;
  const limb = (x: number) =>
    rect(x - 9, -56, 18, 50, cel(shade(body)), 4) + rect(x - 14, -14, 30, 15, cel(body), 4);
  const arm = (side: number, raised: number) =>
    group(
      { x: side * 44, y: -108, turn: -side * raised * 130 + side * step },
      rect(-9, -4, 18, 36, cel(shade(body)), 6) +
        rect(-11, 30, 22, 32, cel(body), 6) +
        circle(0, 66, 9, cel(accent)),
    );
  return [
    limb(-20 + step),
    limb(20 - step),
    arm(-1, 0),
    arm(1, lift),
    path(cel(body))`M-40 -116 H40 L30 -56 H-30 Z`,
    polygon(
      [
        [-18, -106],
        [18, -106],
        [0, -78],
      ],
      cel(accent),
    ),
    circle(0, -97, 5, flat("#fff6d8")),
    rect(-56, -122, 26, 24, cel(accent), 6),
    rect(30, -122, 26, 24, cel(accent), 6),
    path(cel(body))`M-20 -120 L-24 -146 Q0 -160 24 -146 L20 -120 Z`,
    rect(-17, -142, 34, 8, cel("#7ae0c3"), 3),
    line(
      [
        [-16, -150],
        [-26, -168],
      ],
      stroke(accent, 4),
    ),
    line(
      [
        [16, -150],
        [26, -168],
      ],
      stroke(accent, 4),
    ),
  ].join("");
}

/** Draws an umbrella whose handle ends at the origin. */
export function umbrella(color: string): string {
  return (
    rect(-1.5, -52, 3, 54, cel("#4a3a34", "#2b2238", 0.8)) +
    path(
      cel(color),
    )`M-40 -48 Q-36 -84 0 -86 Q36 -84 40 -48 Q30 -56 20 -48 Q10 -56 0 -48 Q-10 -56 -20 -48 Q-30 -56 -40 -48 Z` +
    path(flat("#ffffff", 0.3))`M-8 -84 Q-22 -76 -22 -50 L-32 -54 Q-30 -76 -8 -84 Z`
  );
}

/** Draws birds in a loose flock that beat their wings. */
export function birds(
  random: Random,
  count: number,
  color: string,
  at: { x: number; y: number },
  speed: number,
): ShotElement {
  const flock = Array.from({ length: count }, () => ({
    x: at.x + random.between(-90, 90),
    y: at.y + random.between(-34, 34),
    phase: random.between(0, 6),
    size: random.between(5, 11),
  }));
  return moving(0.5, ({ seconds }) =>
    flock
      .map((b) => {
        const wing = Math.sin(seconds * 9 + b.phase) * b.size * 0.6;
        return path(
          stroke(color, 2.4),
        )`M${b.x + speed * seconds - b.size} ${b.y - wing} Q${b.x + speed * seconds - 2} ${b.y - 2} ${b.x + speed * seconds} ${b.y + 2} Q${b.x + speed * seconds + 2} ${b.y - 2} ${b.x + speed * seconds + b.size} ${b.y - wing}`;
      })
      .join(""),
  );
}

/** Draws particles that fall or rise: rain, snow, petals or sparks. */
export function weather(
  random: Random,
  kind: "rain" | "snow" | "petals" | "sparks",
  count: number,
  color: string,
): ShotElement {
  const drops = Array.from({ length: count }, () => ({
    x: random.between(-40, 560),
    y: random.between(0, 300),
    phase: random.between(0, 6),
    size: random.between(0.7, 1.5),
  }));
  const fall = { rain: 420, snow: 34, petals: 46, sparks: -38 }[kind];
  return moving(1.6, ({ seconds }) =>
    drops
      .map((d) => {
        const y = ((((d.y + fall * d.size * seconds) % 300) + 300) % 300) - 15;
        const x = d.x + (kind === "rain" ? -y * 0.2 : Math.sin(seconds * 1.3 + d.phase) * 14);
        if (kind === "rain")
          return line(
            [
              [x, y],
              [x - 4, y + 17 * d.size],
            ],
            stroke(color, 1.3),
          );
        if (kind === "petals")
          return group(
            { x, y, turn: seconds * 90 + d.phase * 60 },
            ellipse(0, 0, 5 * d.size, 2.6 * d.size, flat(color)),
          );
        return circle(
          x,
          y,
          (kind === "snow" ? 2.6 : 1.9) * d.size,
          flat(color, kind === "sparks" ? 0.5 + 0.5 * Math.sin(seconds * 5 + d.phase) : 0.95),
        );
      })
      .join(""),
  );
}
