import { mix } from "../colors.ts";
import {
  cel,
  circle,
  cloud,
  ellipse,
  fade,
  flat,
  glow,
  group,
  hills,
  path,
  polygon,
  rect,
  ridge,
  stars,
  stroke,
} from "../drawing.ts";
import type { Random } from "../random.ts";
import { moving, type ShotElement, still } from "../shot.ts";

/** The colours of a setting at a time of day. */
export type Palette = { high: string; low: string; far: string; middle: string; near: string; light: string };

/** Draws a sky with a sun or moon, and clouds that drift. */
export function sky(
  random: Random,
  p: Palette,
  o: { sun?: [number, number, number]; clouds?: number; stars?: number } = {},
): ShotElement[] {
  const [x, y, radius] = o.sun ?? [0, 0, 0];
  const sun =
    radius === 0
      ? ""
      : glow("sun", x, y, radius * 3.2, p.light, 0.7) +
        circle(x, y, radius, flat(mix(p.light, "#ffffff", 0.4)));
  const clouds = Array.from({ length: o.clouds ?? 0 }, () => ({
    x: random.between(-100, 560),
    y: random.between(15, 120),
    size: random.between(0.5, 1.5),
    speed: random.between(3, 9),
  }));
  return [
    still(0, fade("sky", p.high, p.low) + stars(random, o.stars ?? 0) + sun),
    moving(0.12, ({ seconds }) =>
      clouds
        .map((c) => cloud(c.x + c.speed * seconds, c.y, c.size, flat(mix(p.low, "#ffffff", 0.55), 0.9)))
        .join(""),
    ),
  ];
}

/** Draws chains of mountains, one behind the other, some with snow. */
export function mountains(
  random: Random,
  p: Palette,
  o: { height?: number; hasSnow?: boolean } = {},
): ShotElement[] {
  const height = o.height ?? 110;
  const peaks = Array.from({ length: 5 }, (_, i) => {
    const x = -80 + i * 150 + random.between(-40, 40);
    const top = 200 - height * random.between(0.7, 1.25);
    const wide = random.between(110, 170);
    const snow = polygon(
      [
        [x, top],
        [x + wide * 0.25, top + (200 - top) * 0.26],
        [x + wide * 0.08, top + (200 - top) * 0.2],
        [x - wide * 0.05, top + (200 - top) * 0.3],
        [x - wide * 0.2, top + (200 - top) * 0.22],
      ],
      flat("#fdfbff", 0.9),
    );
    const shadow = polygon(
      [
        [x, top],
        [x + wide, 220],
        [x + wide * 0.2, 220],
      ],
      flat(mix(p.far, p.middle, 0.5)),
    );
    return (
      polygon(
        [
          [x - wide, 220],
          [x, top],
          [x + wide, 220],
        ],
        flat(p.far),
      ) +
      shadow +
      (o.hasSnow ? snow : "")
    );
  });
  return [
    still(0.2, peaks.join("")),
    still(0.4, ridge(random, 205, 45, 46, flat(p.middle))),
    still(0.7, hills(random, 232, 26, 130, flat(p.near))),
  ];
}

/** Draws trees in rows, with trunks in front. */
export function forest(
  random: Random,
  p: Palette,
  o: { trunks?: number; isFir?: boolean } = {},
): ShotElement[] {
  const row = (count: number, foot: number, size: number, color: string) =>
    Array.from({ length: count }, (_, i) => {
      const x = -160 + (i * 800) / count + random.between(-14, 14);
      const s = size * random.between(0.8, 1.25);
      if (o.isFir) {
        const tier = (y: number, w: number) =>
          polygon(
            [
              [x, foot - y - s * 0.5],
              [x + w, foot - y + s * 0.1],
              [x - w, foot - y + s * 0.1],
            ],
            flat(color),
          );
        return tier(s * 0.1, s * 0.3) + tier(s * 0.4, s * 0.24) + tier(s * 0.7, s * 0.17);
      }
      return (
        rect(x - 4, foot - s * 0.4, 8, s * 0.5, flat(mix(color, "#2a1d20", 0.5))) +
        circle(x, foot - s * 0.7, s * 0.34, flat(color)) +
        circle(x - s * 0.24, foot - s * 0.5, s * 0.24, flat(color)) +
        circle(x + s * 0.24, foot - s * 0.52, s * 0.25, flat(color))
      );
    }).join("");
  const trunks = Array.from({ length: o.trunks ?? 3 }, (_, i) => {
    const x = 30 + (i * 480) / (o.trunks ?? 3) + random.between(-40, 40);
    const w = random.between(15, 28);
    const dark = mix(p.near, "#1a1024", 0.55);
    return (
      path(
        cel(dark, "#1a1024"),
      )`M${x - w} 300 Q${x - w * 0.5} 180 ${x - w * 0.6} -40 H${x + w * 0.6} Q${x + w * 0.5} 180 ${x + w * 1.2} 300 Z` +
      path(stroke(mix(dark, p.light, 0.25), 2))`M${x - 3} 20 q6 60 -2 130`
    );
  });
  return [
    still(0.25, row(13, 190, 110, p.far)),
    still(0.5, row(9, 220, 120, p.middle) + rect(-300, 212, 1100, 200, flat(mix(p.middle, p.near, 0.5)))),
    still(0.8, hills(random, 240, 12, 90, flat(p.near))),
    still(1.5, trunks.join("")),
  ];
}

/** Draws the sea up to the horizon, with waves that glitter, with or without a beach. */
export function sea(
  random: Random,
  p: Palette,
  o: { horizon?: number; hasBeach?: boolean; hasLighthouse?: boolean } = {},
): ShotElement[] {
  const horizon = o.horizon ?? 140;
  const waves = Array.from({ length: 34 }, () => ({
    x: random.between(-180, 660),
    y: horizon + 6 + (270 - horizon) * random.next() ** 1.6,
    phase: random.between(0, 6),
  }));
  const island = path(flat(p.far))`M330 ${horizon} q20 -26 60 -24 q30 -22 70 2 q40 4 60 22 Z`;
  const lighthouse = group(
    { x: 90, y: horizon + 4 },
    path(flat(mix(p.far, "#1a1024", 0.3)))`M-60 0 q30 -22 60 -20 q40 0 66 20 Z` +
      polygon(
        [
          [-9, -16],
          [-6, -78],
          [6, -78],
          [9, -16],
        ],
        cel("#f7efe2"),
      ) +
      rect(-8, -56, 16, 11, flat("#d8484a")) +
      rect(-8.6, -34, 17, 11, flat("#d8484a")) +
      rect(-7, -90, 14, 12, cel(p.light)) +
      polygon(
        [
          [-10, -90],
          [0, -102],
          [10, -90],
        ],
        cel("#b03a44"),
      ),
  );
  return [
    still(
      0.3,
      rect(-300, horizon, 1100, 400, flat(p.middle)) +
        rect(-300, horizon, 1100, 10, flat(mix(p.middle, p.light, 0.35))) +
        (o.hasLighthouse ? lighthouse : island),
    ),
    moving(0.5, ({ seconds }) =>
      waves
        .map((w) =>
          ellipse(
            w.x + Math.sin(seconds * 1.4 + w.phase) * 6,
            w.y,
            (w.y - horizon) * 0.22 + 4,
            0.8 + (w.y - horizon) * 0.012,
            flat(mix(p.light, "#ffffff", 0.4), 0.35 + 0.3 * Math.sin(seconds * 3 + w.phase)),
          ),
        )
        .join(""),
    ),
    ...(o.hasBeach
      ? [
          moving(0.9, ({ seconds }) => {
            const reach = Math.sin(seconds * 1.5) * 5;
            return (
              path(
                flat("#ffffff", 0.75),
              )`M-300 ${222 + reach} Q100 ${204 + reach} 300 ${222 + reach} T800 ${214 + reach} V400 H-300 Z` +
              path(
                flat(p.near),
              )`M-300 ${228 + reach} Q100 ${210 + reach} 300 ${228 + reach} T800 ${220 + reach} V400 H-300 Z`
            );
          }),
        ]
      : []),
  ];
}

/** Draws a wide field with waving grass and flowers. */
export function meadow(
  random: Random,
  p: Palette,
  o: { flowers?: string; hasFence?: boolean; hasWindmill?: boolean } = {},
): ShotElement[] {
  const blades = Array.from({ length: 60 }, (_, i) => ({
    x: -120 + i * 12 + random.between(-5, 5),
    height: random.between(14, 40),
    phase: random.between(0, 6),
    isFlower: random.chance(0.35),
  }));
  const fence =
    Array.from({ length: 12 }, (_, i) => rect(-120 + i * 60, 178, 6, 40, cel("#e9dcc8"))).join("") +
    rect(-200, 186, 900, 5, cel("#e9dcc8")) +
    rect(-200, 202, 900, 5, cel("#e9dcc8"));
  return [
    still(0.3, hills(random, 178, 40, 200, flat(p.far))),
    ...(o.hasWindmill
      ? [
          moving(0.35, ({ seconds }) =>
            group(
              { x: 350, y: 160 },
              polygon(
                [
                  [-16, 10],
                  [-10, -60],
                  [10, -60],
                  [16, 10],
                ],
                cel("#f3e4d0"),
              ) +
                polygon(
                  [
                    [-13, -60],
                    [0, -78],
                    [13, -60],
                  ],
                  cel("#a8484a"),
                ) +
                group(
                  { y: -60, turn: seconds * 70 },
                  [0, 90, 180, 270]
                    .map((turn) =>
                      group(
                        { turn },
                        rect(-1.5, -52, 3, 52, flat("#5a4038")) +
                          rect(1, -50, 11, 40, cel("#fff7ea", "#5a4038", 1)),
                      ),
                    )
                    .join(""),
                ),
            ),
          ),
        ]
      : []),
    still(0.55, hills(random, 202, 24, 160, flat(p.middle)) + (o.hasFence ? fence : "")),
    still(0.9, hills(random, 236, 10, 120, flat(p.near))),
    moving(1.3, ({ seconds }) =>
      blades
        .map((b) => {
          const lean = Math.sin(seconds * 2 + b.phase) * 6;
          const stem = path(
            stroke(mix(p.near, "#102018", 0.35), 3),
          )`M${b.x} 290 q0 ${-b.height * 0.7} ${lean} ${-b.height - 12}`;
          return (
            stem +
            (b.isFlower && o.flowers
              ? circle(b.x + lean, 278 - b.height, 5, cel(o.flowers)) +
                circle(b.x + lean, 278 - b.height, 2, flat("#fff3b0"))
              : "")
          );
        })
        .join(""),
    ),
  ];
}
