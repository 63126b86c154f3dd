import { mix } from "../colors.ts";
import { cel, circle, cloud, fade, flat, hills, path, stroke } from "../drawing.ts";
import type { Random } from "../random.ts";
import { moving, type ShotElement, still } from "../shot.ts";

/** The colours of a setting at a time of day. */
export type Palette = { high: string; low: string; far: string; middle: string; near: string; light: string };

/** Draws a sky with clouds that drift. */
export function sky(random: Random, p: Palette, o: { clouds?: number } = {}): ShotElement[] {
  const clouds = Array.from({ length: o.clouds ?? 0 }, () => ({
    x: random.between(-100, 560),
    y: random.between(15, 120),
    size: random.between(0.5, 1.5),
    speed: random.between(3, 9),
  }));
  return [
    still(0, fade("sky", p.high, p.low)),
    moving(0.12, ({ seconds }) =>
      clouds
        .map((c) => cloud(c.x + c.speed * seconds, c.y, c.size, flat(mix(p.low, "#ffffff", 0.55), 0.9)))
        .join(""),
    ),
  ];
}

/** Draws a wide field with waving grass and flowers. */
export function meadow(random: Random, p: Palette, o: { flowers?: string } = {}): ShotElement[] {
  const blades = Array.from({ length: 60 }, (_, i) => ({
    x: -120 + i * 12 + random.between(-5, 5),
    height: random.between(14, 40),
    phase: random.between(0, 6),
    isFlower: random.chance(0.35),
  }));
  return [
    still(0.3, hills(random, 178, 40, 200, flat(p.far))),
    still(0.55, hills(random, 202, 24, 160, flat(p.middle))),
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
