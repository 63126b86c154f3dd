import { mix } from "../colors.ts";
import {
  cel,
  circle,
  ellipse,
  fade,
  flat,
  glow,
  group,
  line,
  path,
  polygon,
  rect,
  stroke,
} from "../drawing.ts";
import type { Random } from "../random.ts";
import { moving, type ShotElement, still } from "../shot.ts";
import type { Palette } from "./outdoors.ts";

/** Draws a classroom: windows on one side, a board, desks. */
export function classroom(
  random: Random,
  p: Palette,
  o: { board: string; windowsRight?: boolean },
): ShotElement[] {
  const pane = (x: number) =>
    rect(x, 42, 62, 92, cel(mix(p.high, "#ffffff", 0.3))) +
    path(flat("#ffffff", 0.6))`M${x + 6} 120 q10 -22 26 -14 q16 -14 24 8 l0 14 h-50 Z` +
    line(
      [
        [x + 31, 42],
        [x + 31, 134],
      ],
      stroke("#fffaf0", 4),
    ) +
    line(
      [
        [x, 88],
        [x + 62, 88],
      ],
      stroke("#fffaf0", 4),
    );
  const side = o.windowsRight ? 300 : -20;
  const desk = (x: number, y: number, s: number) =>
    group(
      { x, y, scale: s },
      polygon(
        [
          [-34, 0],
          [34, 0],
          [40, 10],
          [-40, 10],
        ],
        cel("#c98d52"),
      ) +
        rect(-36, 10, 5, 34, cel("#8a8f9c")) +
        rect(31, 10, 5, 34, cel("#8a8f9c")) +
        (random.chance(0.5)
          ? polygon(
              [
                [-12, -1],
                [10, -1],
                [13, 6],
                [-15, 6],
              ],
              cel("#f6f2ff"),
            )
          : ""),
    );
  return [
    still(
      0.3,
      rect(-240, -140, 960, 560, flat(p.low)) +
        rect(-240, 190, 960, 300, flat(mix("#b98552", p.low, 0.25))) +
        rect(-240, 184, 960, 7, flat(mix(p.low, "#5a4030", 0.5))),
    ),
    still(
      0.4,
      [0, 70, 140].map((x) => pane(side + x)).join("") +
        rect(o.windowsRight ? 40 : 230, 54, 210, 84, cel(o.board)) +
        path(
          stroke(mix(o.board, "#ffffff", 0.7), 2),
        )`M${o.windowsRight ? 60 : 250} 80 h50 m14 0 h34 m-98 18 h80 m-80 18 h40` +
        rect(o.windowsRight ? 40 : 230, 138, 210, 6, cel("#c98d52")),
    ),
    still(0.8, [30, 140, 250, 360, 470].map((x) => desk(x, 186, 0.8)).join("")),
    still(1.3, [60, 260, 460].map((x) => desk(x + random.between(-14, 14), 232, 1.4)).join("")),
  ];
}

/** Draws a small room with a round or square window, shelves and a lamp. */
export function room(random: Random, p: Palette, o: { wall: string; isRound?: boolean }): ShotElement[] {
  const books = (x: number, y: number) => {
    let all = rect(x - 4, y, 112, 6, cel("#7a5138"));
    for (let at = x; at < x + 100; ) {
      const width = random.between(6, 13);
      const height = random.between(22, 36);
      const colors = ["#b8483c", "#3c6aa8", "#d8a03c", "#4c8a5c", "#7a4c8c", "#e8dcc0"];
      all += rect(
        at,
        y - height,
        width,
        height,
        cel(colors[Math.floor(random.between(0, 6))] ?? "#b8483c", "#2b2238", 1.2),
      );
      at += width + (random.chance(0.15) ? 10 : 0);
    }
    return all;
  };
  const [left, middle] = [350, 150];
  const view = fade("view", p.high, p.low, { x: middle - 70, y: 20, width: 140, height: 120 });
  const shape = o.isRound
    ? `<circle cx="${middle}" cy="82" r="56"/>`
    : `<rect x="${middle - 62}" y="26" width="124" height="108"/>`;
  const frame = o.isRound
    ? circle(middle, 82, 56, `fill="none" stroke="#6a4632" stroke-width="9"`)
    : rect(middle - 62, 26, 124, 108, `fill="none" stroke="#6a4632" stroke-width="9"`);
  return [
    still(
      0.3,
      rect(-240, -140, 960, 560, flat(o.wall)) +
        Array.from({ length: 24 }, (_, i) =>
          rect(-240 + i * 40, -140, 14, 560, flat(mix(o.wall, "#ffffff", 0.3), 0.35)),
        ).join("") +
        rect(-240, 206, 960, 300, flat(mix(o.wall, "#3a2418", 0.6))),
    ),
    still(
      0.4,
      `<clipPath id="pane">${shape}</clipPath><g clip-path="url(#pane)">${view}${circle(middle + 24, 62, 13, flat(p.light))}${path(flat(p.far))`M${middle - 80} 150 l40 -50 l26 30 l34 -44 l60 64 Z`}</g>${frame}${line(
        [
          [middle, 28],
          [middle, 136],
        ],
        stroke("#6a4632", 5),
      )}`,
    ),
    still(0.5, books(left, 70) + books(left, 128)),
    moving(0.9, ({ seconds }) =>
      glow("lamp", left + 50, 176, 90, p.light, 0.32 + 0.05 * Math.sin(seconds * 7)),
    ),
    still(
      1,
      group(
        { x: left + 50, y: 204 },
        path(cel(p.light))`M-18 -16 l8 -22 h20 l8 22 Z` +
          rect(-2, -16, 4, 14, cel("#6a4632")) +
          ellipse(0, 0, 12, 4, cel("#6a4632")),
      ),
    ),
  ];
}

/** Draws a corridor that leads away, with lights along it. */
export function corridor(p: Palette, o: { wall: string }): ShotElement[] {
  const ring = (s: number) =>
    polygon(
      [
        [240 - 200 * s, 130 - 120 * s],
        [240 + 200 * s, 130 - 120 * s],
        [240 + 200 * s, 130 + 110 * s],
        [240 - 200 * s, 130 + 110 * s],
      ],
      stroke(mix(o.wall, "#0c0a18", 0.5), 2 + s * 4),
    );
  return [
    still(
      0,
      rect(-240, -140, 960, 560, flat(o.wall)) +
        polygon(
          [
            [-400, 600],
            [220, 140],
            [260, 140],
            [880, 600],
          ],
          flat(mix(o.wall, "#0c0a18", 0.35)),
        ) +
        polygon(
          [
            [-400, -300],
            [220, 118],
            [260, 118],
            [880, -300],
          ],
          flat(mix(o.wall, "#ffffff", 0.2)),
        ),
    ),
    still(
      0,
      Array.from({ length: 7 }, (_, i) => {
        const s = 0.06 * 1.75 ** i;
        return (
          ring(s) +
          rect(240 - 196 * s, 130 - 40 * s, 12 * s, 60 * s, flat(p.light)) +
          rect(240 + 184 * s, 130 - 40 * s, 12 * s, 60 * s, flat(p.light))
        );
      }).join("") + glow("end", 240, 128, 60, p.light, 0.9),
    ),
  ];
}
