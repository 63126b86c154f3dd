import { mix } from "../drawing/colors.ts";
import { cel, circle, flat, glow, polygon, rect } from "../drawing/drawing.ts";
import type { Random } from "../drawing/random.ts";
import { moving, still } from "../drawing/shot.ts";

/** Draws the comet with its long tail. */
export function comet(r: Random) {
  const tail = Array.from({ length: 9 }, () => ({ spread: r.between(-34, 34), length: r.between(160, 330) }));
  return moving(0.6, ({ seconds }) => {
    const [x, y] = [350 - 16 * seconds, 96 + 7 * seconds];
    return (
      tail
        .map((t, i) =>
          polygon(
            [
              [x, y - 14],
              [x, y + 14],
              [x + t.length + 14 * Math.sin(seconds * 6 + i), y - t.length * 0.42 + t.spread],
            ],
            flat(i % 2 === 0 ? "#8fe8ff" : "#ffffff", 0.28),
          ),
        )
        .join("") +
      glow("head", x, y, 70, "#bff4ff", 0.9) +
      polygon(
        [
          [x - 24, y + 2],
          [x - 10, y - 20],
          [x + 14, y - 19],
          [x + 25, y],
          [x + 12, y + 20],
          [x - 12, y + 19],
        ],
        cel("#7a8498"),
      ) +
      circle(x - 4, y - 4, 6, flat("#5a6478"))
    );
  });
}

/** Draws leaves as high as houses, some directly in front of the camera. */
export function jungle() {
  const leaf = (x: number, y: number, s: number, turn: number, color: string) =>
    `<g transform="translate(${x} ${y}) rotate(${turn}) scale(${s})"><path d="M0 0 Q-34 -60 0 -130 Q34 -60 0 0 Z M0 0 V-110" ${cel(color)}/></g>`;
  return [
    still(
      0.4,
      Array.from({ length: 14 }, (_, i) =>
        leaf(
          -30 + i * 42,
          236,
          1 + (i % 3) * 0.25,
          ((i * 37) % 50) - 25,
          i % 2 === 0 ? "#2c7a5c" : "#3c9a6c",
        ),
      ).join("") + rect(-300, 226, 1100, 200, flat("#1c5240")),
    ),
    still(
      1.5,
      leaf(20, 300, 1.3, 24, "#145040") +
        leaf(66, 310, 1.2, 52, "#1c6a4c") +
        leaf(466, 300, 1.4, -28, "#145040") +
        leaf(420, 312, 1.1, -58, "#1c6a4c"),
    ),
  ];
}

/** Draws searchlights that sweep the sky. */
export function beams() {
  return [
    moving(0.5, ({ seconds }) =>
      [90, 260, 400]
        .map((x, i) =>
          polygon(
            [
              [x, 280],
              [x + Math.sin(seconds * 1.2 + i * 2) * 150 - 26, -60],
              [x + Math.sin(seconds * 1.2 + i * 2) * 150 + 26, -60],
            ],
            flat(mix("#5ce0ff", "#ffffff", 0.2), 0.22),
          ),
        )
        .join(""),
    ),
  ];
}
