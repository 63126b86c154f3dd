import { mix } from "../drawing/colors.ts";
import {
  cel,
  circle,
  ellipse,
  fade,
  flat,
  glow,
  group,
  path,
  polygon,
  rect,
  ridge,
  stars,
} from "../drawing/drawing.ts";
import type { Random } from "../drawing/random.ts";
import { moving, type ShotElement, still } from "../drawing/shot.ts";
import type { Palette } from "./outdoors.ts";

/** Draws deep space: stars, coloured mist, and stars that pass by when `speed` is set. */
export function deepSpace(random: Random, p: Palette, o: { speed?: number } = {}): ShotElement[] {
  const mist = Array.from({ length: 5 }, (_, i) =>
    glow(
      `mist${i}`,
      random.between(0, 480),
      random.between(0, 270),
      random.between(90, 190),
      i % 2 === 0 ? p.far : p.middle,
      0.5,
    ),
  ).join("");
  const rushing = Array.from({ length: 40 }, () => ({
    angle: random.between(0, 6.28),
    start: random.next(),
  }));
  return [
    still(0, fade("space", p.high, p.low) + mist),
    still(0.1, stars(random, 150)),
    ...(o.speed === undefined
      ? []
      : [
          moving(0.1, ({ seconds }) =>
            rushing
              .map((r) => {
                const far = ((r.start + seconds * (o.speed ?? 0)) % 1) ** 2 * 330;
                const [c, s] = [Math.cos(r.angle), Math.sin(r.angle)];
                return polygon(
                  [
                    [240 + c * far, 130 + s * far],
                    [240 + c * far * 1.25 - s, 130 + s * far * 1.25 + c],
                    [240 + c * far * 1.25 + s, 130 + s * far * 1.25 - c],
                  ],
                  flat("#ffffff", 0.9),
                );
              })
              .join(""),
          ),
        ]),
  ];
}

/** Draws a planet with bands or craters, optionally with a ring. */
export function planet(
  random: Random,
  x: number,
  y: number,
  radius: number,
  color: string,
  o: { ring?: string; hasCraters?: boolean } = {},
): ShotElement {
  const bands = Array.from({ length: 6 }, (_, i) =>
    ellipse(
      x,
      y - radius + (i + 0.5) * radius * 0.36,
      radius * 1.1,
      radius * random.between(0.05, 0.14),
      flat(mix(color, i % 2 === 0 ? "#ffffff" : "#241030", 0.3), 0.8),
    ),
  ).join("");
  const craters = Array.from({ length: 11 }, () =>
    circle(
      x + random.between(-0.8, 0.8) * radius,
      y + random.between(-0.8, 0.8) * radius,
      radius * random.between(0.06, 0.17),
      flat(mix(color, "#241030", 0.35)),
    ),
  ).join("");
  const ringPart = (clip: string) =>
    o.ring === undefined
      ? ""
      : `<g clip-path="url(#${clip})"><ellipse cx="${x}" cy="${y}" rx="${radius * 1.75}" ry="${radius * 0.42}" transform="rotate(-16 ${x} ${y})" fill="none" stroke="${o.ring}" stroke-width="${radius * 0.16}"/></g>`;
  const id = `planet${Math.round(x)}`;
  return still(
    0.25,
    [
      `<clipPath id="${id}"><circle cx="${x}" cy="${y}" r="${radius}"/></clipPath>`,
      `<clipPath id="${id}b"><rect x="${x - 500}" y="${y - 500}" width="1000" height="500" transform="rotate(-16 ${x} ${y})"/></clipPath>`,
      `<clipPath id="${id}f"><rect x="${x - 500}" y="${y}" width="1000" height="500" transform="rotate(-16 ${x} ${y})"/></clipPath>`,
      glow(`${id}g`, x, y, radius * 1.5, color, 0.5),
      ringPart(`${id}b`),
      circle(x, y, radius, cel(color)),
      `<g clip-path="url(#${id})">${o.hasCraters ? craters : bands}${circle(x + radius * 0.55, y + radius * 0.35, radius * 1.25, `fill="none" stroke="#140a24" stroke-opacity="0.45" stroke-width="${radius * 0.7}"`)}</g>`,
      ringPart(`${id}f`),
    ].join(""),
  );
}

/** Draws the ground of a moon, with rocks and a dome or two. */
export function moonGround(random: Random, p: Palette, o: { hasDomes?: boolean } = {}): ShotElement[] {
  const dome = (x: number, r: number) =>
    path(cel(mix(p.light, "#ffffff", 0.2)))`M${x - r} 214 A${r} ${r} 0 0 1 ${x + r} 214 Z` +
    path(
      flat("#ffffff", 0.5),
    )`M${x - r * 0.6} 200 A${r * 0.7} ${r * 0.7} 0 0 1 ${x - r * 0.1} ${214 - r * 0.8} L${x - r * 0.1} ${214 - r * 0.6} A${r * 0.5} ${r * 0.5} 0 0 0 ${x - r * 0.4} 202 Z` +
    rect(x - r * 0.16, 200, r * 0.32, 15, cel(p.near));
  const rocks = Array.from({ length: 12 }, () =>
    ellipse(
      random.between(-100, 580),
      random.between(222, 262),
      random.between(6, 22),
      random.between(3, 9),
      cel(mix(p.near, "#140a24", 0.3)),
    ),
  ).join("");
  return [
    still(0.4, ridge(random, 205, 60, 70, flat(p.far))),
    still(
      0.6,
      ridge(random, 222, 24, 50, flat(p.middle)) +
        (o.hasDomes ? dome(140, 42) + dome(236, 28) + dome(360, 54) : ""),
    ),
    still(0.9, rect(-300, 214, 1100, 300, flat(p.near)) + rocks),
  ];
}

/** Draws rocks that tumble through space. */
export function asteroids(random: Random, color: string, count: number): ShotElement {
  const rocks = Array.from({ length: count }, (_, i) => {
    const size = random.between(8, 34);
    const points = Array.from({ length: 9 }, (_, k) => {
      const r = size * random.between(0.7, 1.1);
      return [Math.cos((k / 9) * 6.283) * r, Math.sin((k / 9) * 6.283) * r] as const;
    });
    const drawn =
      polygon(points, cel(mix(color, "#140a24", random.between(0, 0.4)))) +
      circle(size * 0.2, -size * 0.1, size * 0.22, flat(mix(color, "#140a24", 0.5)));
    return {
      x: random.between(-60, 560),
      y: random.between(0, 270),
      turn: random.between(-60, 60),
      speed: random.between(-34, -10),
      drawn,
      depth: i,
    };
  });
  return moving(0.8, ({ seconds }) =>
    rocks.map((r) => group({ x: r.x + r.speed * seconds, y: r.y, turn: r.turn * seconds }, r.drawn)).join(""),
  );
}
