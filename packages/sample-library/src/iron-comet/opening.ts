import { attach, closeUp } from "../actors/acting.ts";
import { robot, rocket } from "../actors/props.ts";
import { fade, flat, line, polygon, stroke } from "../drawing/drawing.ts";
import type { Random } from "../drawing/random.ts";
import { type Shot, still } from "../drawing/shot.ts";
import { deepSpace } from "../scenery/space.ts";
import { dax, kei, vera, violet } from "./cast.ts";

/** The opening of every episode, five seconds long. */
export const opening = (r: Random): Shot[] => [
  {
    seconds: 1.75,
    elements: [
      ...deepSpace(r, violet, { speed: 0.9 }),
      attach(1, { x: 240, y: 140, scale: 1.9 }, (s) => rocket("#e8e4dc", s), { bob: 6, rock: 3 }),
    ],
  },
  {
    seconds: 1.6,
    camera: { y: [60, -50] },
    elements: [
      still(
        0,
        fade("bg", "#f2543c", "#ffc04c") +
          Array.from({ length: 14 }, (_, i) =>
            line(
              [
                [i * 40 - 40, 300],
                [240, 60],
              ],
              stroke("#ffe08a", 4),
            ),
          ).join(""),
      ),
      attach(1, { x: 240, y: 330, scale: 2 }, (s) => robot("#4a6aa8", "#ffd166", s, 0.9)),
    ],
  },
  {
    seconds: 1.65,
    elements: [
      still(
        0,
        fade("bg", "#1a1240", "#4a2a8c") +
          polygon(
            [
              [-40, -40],
              [170, -40],
              [110, 320],
              [-40, 320],
            ],
            flat("#e8543c"),
          ) +
          polygon(
            [
              [320, -40],
              [540, -40],
              [540, 320],
              [380, 320],
            ],
            flat("#2c8a8c"),
          ),
      ),
      closeUp(kei, { x: 80, y: 150, scale: 1.05 }),
      closeUp(vera, { x: 245, y: 146, scale: 1.1 }, { wind: 0.8 }),
      closeUp(dax, { x: 400, y: 150, scale: 1.05 }, { wind: 0.8 }),
    ],
  },
];
