import { mix } from "../colors.ts";
import { cel, ellipse, flat, glow, line, path, polygon, rect, stroke } from "../drawing.ts";
import type { Random } from "../random.ts";
import { moving, type ShotElement, still } from "../shot.ts";
import type { Palette } from "./outdoors.ts";

/** Draws a street of small houses with lit windows, optionally with lanterns on a string. */
export function street(random: Random, p: Palette, o: { roof: string; lanterns?: boolean }): ShotElement[] {
  const house = (x: number, foot: number, width: number, height: number, wall: string) => {
    const windows = Array.from({ length: Math.max(1, Math.floor(width / 30)) }, (_, i) => {
      const at = x + 10 + i * ((width - 12) / Math.max(1, Math.floor(width / 30)));
      const isLit = random.chance(0.65);
      return (
        rect(at, foot - height * 0.62, 13, 17, cel(isLit ? p.light : mix(wall, "#1a1430", 0.6))) +
        line(
          [
            [at + 6.5, foot - height * 0.62],
            [at + 6.5, foot - height * 0.62 + 17],
          ],
          stroke("#2b2238", 1),
        )
      );
    }).join("");
    return (
      rect(x, foot - height, width, height, cel(wall)) +
      polygon(
        [
          [x - 9, foot - height],
          [x + width * 0.2, foot - height - 30],
          [x + width * 0.8, foot - height - 30],
          [x + width + 9, foot - height],
        ],
        cel(o.roof),
      ) +
      windows +
      rect(x + width * 0.42, foot - 26, 15, 26, cel(mix(o.roof, "#2a1a20", 0.5)))
    );
  };
  const row = (foot: number, base: number, walls: string) => {
    let all = "";
    for (let x = -200; x < 680; ) {
      const width = base * random.between(0.8, 1.5);
      all += house(
        x,
        foot,
        width,
        base * random.between(0.75, 1.35),
        mix(walls, p.near, random.between(0, 0.35)),
      );
      x += width + random.between(6, 22);
    }
    return all;
  };
  const foot = 216;
  const lanterns = Array.from({ length: 9 }, (_, i) => ({ x: -60 + i * 75, phase: random.between(0, 6) }));
  return [
    still(0.35, row(foot - 26, 60, p.far)),
    still(
      0.6,
      row(foot, 84, p.middle) +
        rect(-300, foot, 1100, 300, flat(p.near)) +
        path(flat(mix(p.near, p.light, 0.25)))`M-300 ${foot + 14} H800 V${foot + 22} H-300 Z`,
    ),
    ...(o.lanterns
      ? [
          moving(
            1.1,
            ({ seconds }) =>
              path(stroke("#2b2238", 1.4))`M-120 20 Q60 66 240 34 T620 28` +
              lanterns
                .map(({ x, phase }, i) =>
                  paperLantern(
                    `lantern${i}`,
                    x + Math.sin(seconds * 1.6 + phase) * 3,
                    62 + Math.sin(x) * 8,
                    p.light,
                    0.8,
                  ),
                )
                .join(""),
          ),
        ]
      : []),
  ];
}

/** Draws a round paper lantern that glows. */
function paperLantern(id: string, x: number, y: number, color: string, size: number): string {
  return (
    glow(id, x, y, 44 * size, color, 0.55) +
    ellipse(x, y, 13 * size, 16 * size, cel(mix(color, "#e0442c", 0.3))) +
    ellipse(x, y, 6 * size, 16 * size, cel(mix(color, "#ffffff", 0.25), "#8a3424", 1)) +
    rect(x - 6 * size, y - 19 * size, 12 * size, 4 * size, flat("#2b2238")) +
    rect(x - 6 * size, y + 15 * size, 12 * size, 4 * size, flat("#2b2238"))
  );
}

/** Draws high houses, near and far. */
export function skyline(random: Random, p: Palette): ShotElement[] {
  const row = (foot: number, tall: number, color: string, windows: boolean) => {
    let all = "";
    for (let x = -220; x < 700; ) {
      const width = random.between(34, 74);
      const height = tall * random.between(0.5, 1.2);
      all += rect(x, foot - height, width, height + 200, cel(color, mix(color, "#1a1024", 0.5), 1.2));
      if (random.chance(0.4))
        all += line(
          [
            [x + width / 2, foot - height],
            [x + width / 2, foot - height - 22],
          ],
          stroke(mix(color, "#1a1024", 0.5), 2),
        );
      for (let wy = foot - height + 9; windows && wy < foot - 8; wy += 15)
        for (let wx = x + 6; wx < x + width - 8; wx += 13)
          if (random.chance(0.8))
            all += rect(wx, wy, 7, 8, flat(mix(color, "#ffffff", 0.5), random.between(0.6, 1)));
      x += width + random.between(0, 12);
    }
    return all;
  };
  return [
    still(0.2, row(230, 170, p.far, false)),
    still(0.45, row(262, 150, p.middle, true)),
    still(0.85, row(330, 120, p.near, true)),
  ];
}

/** Draws a bridge over a river, from its bank. */
export function river(random: Random, p: Palette, o: { bridge: string }): ShotElement[] {
  const glints = Array.from({ length: 26 }, () => ({
    x: random.between(-150, 640),
    y: random.between(186, 262),
    phase: random.between(0, 6),
  }));
  const arch = `${path(cel(o.bridge))`M-40 176 Q240 60 520 176 L520 196 Q240 84 -40 196 Z`}${Array.from(
    { length: 13 },
    (_, i) => {
      const x = -20 + i * 43;
      const y = 176 - 116 * (1 - ((x - 240) / 280) ** 2) * 0.5 - 2;
      return rect(x, y - 22, 5, 24, cel(o.bridge));
    },
  ).join("")}${path(stroke(mix(o.bridge, "#1a1024", 0.3), 4))`M-30 154 Q240 38 510 154`}`;
  return [
    still(
      0.5,
      rect(-300, 168, 1100, 300, flat(p.middle)) +
        path(flat(p.far))`M-300 180 Q0 150 240 172 T800 164 V140 H-300 Z`,
    ),
    moving(0.6, ({ seconds }) =>
      glints
        .map((g) =>
          rect(
            g.x + ((seconds * 12 + g.phase * 9) % 40),
            g.y,
            26,
            1.8,
            flat(mix(p.light, "#ffffff", 0.3), 0.5 + 0.4 * Math.sin(seconds * 2 + g.phase)),
            1,
          ),
        )
        .join(""),
    ),
    still(0.8, arch),
    still(
      1.3,
      path(
        flat(p.near),
      )`M-300 300 V246 Q-60 214 90 264 Q130 280 150 300 Z M800 300 V238 Q560 226 420 262 Q390 280 380 300 Z`,
    ),
  ];
}
