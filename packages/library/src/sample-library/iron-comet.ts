import { closeUp, place, stand, walk } from "./acting.ts";
import type { Character } from "./characters.ts";
import { mix } from "./colors.ts";
import { cel, circle, fade, flat, glow, line, polygon, rect, stroke } from "./drawing.ts";
import { cockpit, corridor } from "./indoors.ts";
import { mountains, type Palette, sky } from "./outdoors.ts";
import { robot, rocket, weather } from "./props.ts";
import type { Random } from "./random.ts";
import { going, moving, type Shot, still } from "./shot.ts";
import { asteroids, deepSpace, moonGround, planet } from "./space.ts";
import { skyline } from "./town.ts";

const kei: Character = {
  skin: "#f2cba8",
  hair: "#c23c3c",
  eyes: "#d8703c",
  clothes: "#e8e4dc",
  accent: "#e8543c",
  style: "helmet",
};
const vera: Character = {
  skin: "#c98a5c",
  hair: "#e6e2f4",
  eyes: "#7a5ae0",
  clothes: "#3c3f6c",
  accent: "#7ae0c3",
  style: "long",
};
const dax: Character = {
  skin: "#f4d6bc",
  hair: "#4c8a4c",
  eyes: "#4c8a8a",
  clothes: "#6c5a3c",
  accent: "#f2b83c",
  style: "spiky",
};

const violet: Palette = {
  high: "#120a2e",
  low: "#2c1a5c",
  far: "#7a3aa8",
  middle: "#2a5ab8",
  near: "#1c1440",
  light: "#7ae0c3",
};
const teal: Palette = {
  high: "#04141f",
  low: "#0f3f4c",
  far: "#1f8a8c",
  middle: "#2c6a4c",
  near: "#0a2430",
  light: "#ffd166",
};
const rust: Palette = {
  high: "#e8a05c",
  low: "#f8d8a0",
  far: "#c8744c",
  middle: "#a8523c",
  near: "#7c3a30",
  light: "#fff0c8",
};
const grey: Palette = {
  high: "#05060f",
  low: "#1a1c30",
  far: "#5a6078",
  middle: "#747a90",
  near: "#9298a8",
  light: "#bfe8ff",
};
const alarm: Palette = {
  high: "#2a0410",
  low: "#7c1428",
  far: "#c8283c",
  middle: "#e8643c",
  near: "#4c0c1c",
  light: "#ffe08a",
};
const green: Palette = {
  high: "#123c2c",
  low: "#8cd878",
  far: "#3c8a5c",
  middle: "#2c6a4c",
  near: "#184a38",
  light: "#f4ffb0",
};

/** Iron Comet: a small crew, an old robot and a comet. */
export const ironComet = {
  opening: (r: Random): Shot[] => [
    {
      seconds: 1.75,
      painters: [
        ...deepSpace(r, violet, { speed: 0.9 }),
        place(1, { x: 240, y: 140, scale: 1.9 }, (s) => rocket("#e8e4dc", s), { bob: 6, rock: 3 }),
      ],
    },
    {
      seconds: 1.6,
      camera: { y: [60, -50] },
      painters: [
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
        place(1, { x: 240, y: 330, scale: 2 }, (s) => robot("#4a6aa8", "#ffd166", s, 0.9)),
      ],
    },
    {
      seconds: 1.65,
      painters: [
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
  ],
  episodes: [
    (r: Random): Shot[] => [
      {
        seconds: 3,
        camera: { x: [-40, 60] },
        painters: [
          ...deepSpace(r, violet),
          planet(r, 340, 120, 82, "#d89a5c", { ring: "#f2dca8" }),
          going(1, { x: 60, y: 210, scale: 0.5 }, { x: 300, y: 160 }, ({ seconds }) =>
            rocket("#e8e4dc", seconds),
          ),
        ],
      },
      {
        seconds: 2.5,
        painters: [
          ...deepSpace(r, teal),
          ...cockpit(r, teal, { panel: "#4c5a6c" }),
          ...[closeUp(vera, { x: 360, y: 150, scale: 0.85, look: [-0.6, -0.6] }, { speaks: true })],
        ],
      },
      {
        seconds: 2.5,
        camera: { zoom: [1.15, 1] },
        painters: [
          still(0, fade("bg", "#0f2a3c", "#2c6a7c")),
          moving(0.2, ({ seconds }) => glow("scan", 80 + 160 * seconds, 120, 140, "#7ae0c3", 0.5)),
          closeUp(kei, { x: 220, y: 142, scale: 1.5, look: [0.4, 0.9] }, { speaks: true }),
        ],
      },
      {
        seconds: 2.75,
        painters: [
          ...deepSpace(r, { ...teal, far: "#4a4a7a" }),
          asteroids(r, "#8a7a70", 18),
          going(1, { x: 40, y: 90, scale: 0.9 }, { x: 330, y: 190 }, ({ seconds }) =>
            rocket("#f2c84c", seconds),
          ),
        ],
      },
      {
        seconds: 2.75,
        camera: { x: [-60, 60] },
        painters: [
          ...deepSpace(r, grey),
          planet(r, 90, 70, 40, "#4a8ad0"),
          ...moonGround(r, grey, { hasDomes: true }),
          walk(kei, { x: 210, y: 248, scale: 0.8 }, { x: 300, y: 248 }, { pace: 0.7 }),
        ],
      },
      {
        seconds: 2.75,
        painters: [
          ...corridor(r, { ...violet, light: "#bfeaff" }, { wall: "#6c7a94", speed: 1.4 }),
          going(1, { x: 240, y: 240, scale: 0.7 }, { x: 240, y: 262, scale: 1.3 }, ({ seconds }) =>
            robot("#c8543c", "#ffe08a", seconds),
          ),
        ],
      },
      {
        seconds: 2.5,
        painters: [
          ...corridor(r, { ...alarm, light: "#ff5c4c" }, { wall: "#8c3a44", speed: 3 }),
          closeUp(dax, { x: 250, y: 150, scale: 1.25, look: [0, 0] }, { speaks: true, wind: 1 }),
        ],
      },
      {
        seconds: 3,
        camera: { zoom: [1, 1.25] },
        painters: [
          ...deepSpace(r, { ...violet, high: "#03101f", low: "#0c2c4c", far: "#2c8ac8", middle: "#5ac8e0" }),
          comet(r),
        ],
      },
    ],
    (r: Random): Shot[] => [
      {
        seconds: 3,
        camera: { x: [80, -80] },
        painters: [
          ...sky(r, rust, { sun: [140, 70, 18], clouds: 2 }),
          ...mountains(r, rust, { height: 90 }),
          place(0.9, { x: 330, y: 236, scale: 0.8 }, (s) => robot("#5a6a7c", "#e8543c", s * 0.7)),
          walk(dax, { x: 210, y: 244, scale: 0.6 }, { x: 250, y: 244 }),
        ],
      },
      {
        seconds: 2.5,
        painters: [
          still(0, fade("bg", "#f2c07a", "#d8744c")),
          still(0.5, circle(400, 70, 44, flat("#fff0c8"))),
          closeUp(dax, { x: 160, y: 140, scale: 1.5, look: [1, 0.2] }, { wind: 1.2 }),
          weather(r, "sparks", 40, "#8c4a30"),
        ],
      },
      {
        seconds: 2.75,
        painters: [
          ...sky(r, { ...green, high: "#0c3a4c", low: "#a8e8b0" }, { stars: 20, sun: [380, 60, 34] }),
          ...jungle(),
          walk(vera, { x: 120, y: 248, scale: 1.05 }, { x: 230, y: 248 }),
          weather(r, "sparks", 40, "#eaff9a"),
        ],
      },
      {
        seconds: 2.5,
        camera: { zoom: [1, 1.12] },
        painters: [
          still(0, fade("bg", "#0f4a3c", "#6cc878")),
          ...jungle(),
          closeUp(vera, { x: 300, y: 140, scale: 1.4, look: [-0.2, -0.8] }, { speaks: true, wind: 0.4 }),
        ],
      },
      {
        seconds: 2.75,
        painters: [
          ...deepSpace(r, { ...violet, high: "#1a0420", low: "#5c0c4c", far: "#e83c8c", middle: "#f28a4c" }),
          planet(r, 120, 150, 96, "#b83c5c", { hasCraters: true }),
          going(1, { x: 440, y: 60, scale: 0.7 }, { x: 200, y: 130, scale: 0.35 }, ({ seconds }) =>
            rocket("#bfeaf5", seconds),
          ),
        ],
      },
      {
        seconds: 2.75,
        painters: [
          ...sky(r, { ...violet, high: "#0c1440", low: "#6c3c8c" }, { stars: 60 }),
          ...skyline(
            r,
            { ...violet, far: "#3c2c6c", middle: "#2c2058", near: "#1c1440", light: "#5ce0ff" },
            { isNight: true },
          ),
          ...beams(),
          place(1.1, { x: 130, y: 276, scale: 1.1 }, (s) => robot("#d8dce8", "#5a7ae0", s * 0.5, 0.6)),
        ],
      },
      {
        seconds: 2.5,
        painters: [
          still(
            0,
            fade("bg", "#e8ecf4", "#a8b8d0") +
              Array.from({ length: 8 }, (_, i) => rect(i * 70 - 20, -20, 50, 320, flat("#ffffff", 0.4))).join(
                "",
              ),
          ),
          place(1, { x: 250, y: 420, scale: 2.5 }, (s) => robot("#e8b83c", "#3c6ae8", s * 0.6)),
        ],
      },
      {
        seconds: 3,
        camera: { y: [-40, 30], zoom: [1.15, 1] },
        painters: [
          ...deepSpace(r, { ...grey, low: "#0c1c3c", far: "#3c5a9c" }),
          planet(r, 400, 200, 120, "#3c8ac8"),
          ...moonGround(r, { ...grey, far: "#3c3448", middle: "#54485c", near: "#6c5c6c" }),
          stand(kei, { x: 180, y: 244, scale: 0.75 }),
          stand(vera, { x: 230, y: 244, scale: 0.75 }),
          place(1, { x: 110, y: 246, scale: 0.75 }, (s) => robot("#4a6aa8", "#ffd166", s * 0.4)),
        ],
      },
    ],
  ],
};

/** The comet with its long tail. */
function comet(r: Random) {
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

function jungle() {
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

function beams() {
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
