import { attach } from "../actors/acting.ts";
import { paperBoat } from "../actors/props.ts";
import { cel, circle, ellipse, flat, group, polygon, rect } from "../drawing/drawing.ts";
import type { Random } from "../drawing/random.ts";
import { moving, type ShotElement, still } from "../drawing/shot.ts";
import { skyline } from "../scenery/town.ts";
import { dusk } from "./cast.ts";

/** Draws slanting stripes over the whole image. */
export function stripes(color: string): string {
  return Array.from({ length: 9 }, (_, i) =>
    polygon(
      [
        [-80 + i * 80, -40],
        [-40 + i * 80, -40],
        [-180 + i * 80, 320],
        [-220 + i * 80, 320],
      ],
      flat(color, 0.35),
    ),
  ).join("");
}

/** Draws a window with drops that run down. */
export function window() {
  return [
    still(
      0.3,
      rect(300, 20, 150, 190, cel("#b8ccd4")) +
        rect(310, 30, 62, 170, cel("#93b0c0")) +
        rect(378, 30, 62, 170, cel("#86a4b6")),
    ),
    moving(0.4, ({ seconds }) =>
      Array.from({ length: 14 }, (_, i) =>
        ellipse(
          314 + ((i * 37) % 124),
          34 + ((i * 61 + seconds * (14 + (i % 5) * 9)) % 160),
          1.8,
          4.4,
          flat("#e8f4fa", 0.9),
        ),
      ).join(""),
    ),
  ];
}

/** Draws a rainbow. */
export function rainbow(): string {
  return ["#e85c5c", "#f2a04c", "#f4dc5c", "#6cc878", "#5aa0e0", "#8a6cc8"]
    .map((color, i) =>
      circle(250, 250, 220 - i * 11, `fill="none" stroke="${color}" stroke-opacity="0.55" stroke-width="11"`),
    )
    .join("");
}

/** Draws a cherry tree in bloom, close to the camera. */
export function blossom() {
  const bough = (x: number, y: number, s: number) =>
    [
      [-60, 0],
      [-30, -24],
      [6, -8],
      [34, -30],
      [52, 4],
      [14, 20],
      [-30, 18],
    ]
      .map(([dx = 0, dy = 0], i) =>
        circle(x + dx * s, y + dy * s, 27 * s, flat(["#f7a8c0", "#fbc4d4", "#f48fb0"][i % 3] ?? "#f7a8c0")),
      )
      .join("");
  return [
    still(
      1.4,
      polygon(
        [
          [-60, -60],
          [-20, -60],
          [34, 300],
          [-60, 300],
        ],
        cel("#6a4640"),
      ) +
        bough(40, 20, 1.2) +
        bough(400, -6, 1.3) +
        bough(170, -14, 0.9),
    ),
  ];
}

/** Draws a city at night that leaves space for the sky. */
export function lowSkyline(r: Random) {
  const p = { ...dusk, far: "#3a4a8c", middle: "#2c3a78", near: "#1c2658" };
  return skyline(r, p, { isNight: true }).map(
    (element): ShotElement =>
      (m) =>
        element(m).map(({ depth, svg }) => ({ depth: depth + 0.3, svg: group({ y: 110 }, svg) })),
  );
}

/** Draws three fireworks that burst in turn. */
export function fireworks() {
  const bursts = [
    { x: 110, y: 80, at: 0, color: "#ffb35c" },
    { x: 350, y: 66, at: 0.7, color: "#7ae0c3" },
    { x: 230, y: 104, at: 1.4, color: "#f28ab8" },
  ];
  return moving(0.15, ({ seconds }) =>
    bursts
      .map((b) => {
        const age = (((seconds - b.at) % 2) + 2) % 2;
        const reach = 120 * (1 - 1 / (1 + age * 3));
        return Array.from({ length: 40 }, (_, i) => {
          const far = reach * (0.5 + (0.5 * ((i * 7) % 3)) / 2);
          return circle(
            b.x + Math.cos(i * 2.4) * far,
            b.y + Math.sin(i * 2.4) * far + age * age * 7,
            3.2,
            flat(b.color, Math.max(0, 1 - age / 2)),
          );
        }).join("");
      })
      .join(""),
  );
}

/** Draws many small paper boats on the water. */
export function fleet() {
  return Array.from({ length: 8 }, (_, i) =>
    attach(
      0.8,
      { x: 30 + i * 62, y: 196 + ((i * 29) % 52), scale: 0.4 + ((i * 29) % 52) / 130 },
      () => paperBoat(["#ffe9a8", "#ffd0d0", "#d0f0ff"][i % 3]),
      { bob: 3, rock: 5 },
    ),
  );
}
