import { cel, circle, flat, glow, group, polygon } from "../drawing/drawing.ts";
import type { Random } from "../drawing/random.ts";
import { moving } from "../drawing/shot.ts";
import { paperLantern } from "../scenery/town.ts";

/** Draws lanterns that rise into the sky. */
export function lights(r: Random, count: number) {
  const all = Array.from({ length: count }, (_, i) => ({
    x: 20 + (i * 440) / count + r.between(-16, 16),
    y: r.between(60, 300),
    speed: r.between(14, 30),
    size: r.between(0.4, 1.2),
  }));
  return [
    moving(1.1, ({ seconds }) =>
      all
        .map((l, i) =>
          paperLantern(
            `rise${i}`,
            l.x + Math.sin(seconds + i) * 5,
            l.y - l.speed * seconds,
            "#ffcf70",
            l.size,
          ),
        )
        .join(""),
    ),
  ];
}

/** Draws lanterns that drift on the water. */
export function floating(r: Random, count: number) {
  const all = Array.from({ length: count }, () => ({ x: r.between(-20, 470), y: r.between(186, 250) }));
  return [
    moving(0.7, ({ seconds }) =>
      all
        .map((l, i) =>
          paperLantern(
            `float${i}`,
            l.x + 9 * seconds,
            l.y + Math.sin(seconds * 2 + i) * 2,
            "#ff9e5e",
            0.5 + (l.y - 180) / 90,
          ),
        )
        .join(""),
    ),
  ];
}

/** Draws a fire of two logs that flickers and lights its surroundings. */
export function campfire(x: number, y: number) {
  return moving(1, ({ seconds }) => {
    const lick = (k: number) => 4 * Math.sin(seconds * 13 + k);
    return (
      glow("camp", x, y - 20, 130 + lick(0) * 2, "#ff9a4a", 0.75) +
      polygon(
        [
          [x - 26, y],
          [x + 20, y - 10],
          [x + 24, y - 4],
          [x - 22, y + 7],
        ],
        cel("#6a4632"),
      ) +
      polygon(
        [
          [x + 26, y],
          [x - 20, y - 10],
          [x - 24, y - 4],
          [x + 22, y + 7],
        ],
        cel("#7a5138"),
      ) +
      polygon(
        [
          [x - 17, y - 4],
          [x - 12 + lick(1), y - 34],
          [x - 3, y - 22],
          [x + lick(2), y - 56],
          [x + 6, y - 24],
          [x + 13 + lick(3), y - 36],
          [x + 17, y - 4],
        ],
        cel("#ff8a3c", "#c23c20", 1.2),
      ) +
      polygon(
        [
          [x - 9, y - 4],
          [x + lick(4) / 2, y - 34],
          [x + 9, y - 4],
        ],
        flat("#ffe28a"),
      )
    );
  });
}

/** Draws rays that turn around the middle of the image. */
export function rays(color: string) {
  return [
    moving(0.1, ({ seconds }) =>
      group(
        { x: 240, y: 140, turn: seconds * 14 },
        Array.from({ length: 12 }, (_, i) =>
          group(
            { turn: i * 30 },
            polygon(
              [
                [0, 0],
                [420, -46],
                [420, 46],
              ],
              flat(color, 0.35),
            ),
          ),
        ).join("") + circle(0, 0, 60, flat(color, 0.5)),
      ),
    ),
  ];
}

/** Draws northern lights. */
export function aurora(): string {
  return [0, 1, 2]
    .map(
      (i) =>
        `<path d="M-200 ${50 + i * 26} Q60 ${-20 + i * 30} 240 ${70 + i * 18} T700 ${30 + i * 26} V${150 + i * 20} Q460 ${110 + i * 20} 240 ${150 + i * 16} T-200 ${120 + i * 22} Z" fill="${["#6ff2c0", "#58c9e8", "#a98af0"][i]}" fill-opacity="0.28"/>`,
    )
    .join("");
}
