import { closeUp, place, stand, walk } from "./acting.ts";
import type { Character } from "./characters.ts";
import { cel, circle, fade, flat, glow, group, polygon } from "./drawing.ts";
import { room } from "./indoors.ts";
import { forest, meadow, mountains, type Palette, sky } from "./outdoors.ts";
import { birds, cat, fox, weather } from "./props.ts";
import type { Random } from "./random.ts";
import { going, moving, type Shot, still } from "./shot.ts";
import { paperLantern, river, street } from "./town.ts";

const mika: Character = {
  skin: "#f6d3b8",
  hair: "#7a3b2e",
  eyes: "#3f9c7a",
  clothes: "#b8443c",
  accent: "#f2c14e",
  style: "twin",
};
const oto: Character = {
  skin: "#e9bd98",
  hair: "#2f3550",
  eyes: "#c98a2e",
  clothes: "#3f5f7a",
  accent: "#e8e0cc",
  style: "spiky",
};
const granny: Character = {
  skin: "#f0cbb0",
  hair: "#d9d5dc",
  eyes: "#6a5a8c",
  clothes: "#5a4a7a",
  accent: "#d88a6a",
  style: "bun",
};

const dusk: Palette = {
  high: "#2c2c63",
  low: "#f08a5d",
  far: "#6a4c8c",
  middle: "#4a3a6e",
  near: "#33294f",
  light: "#ffd166",
};
const night: Palette = {
  high: "#0e1436",
  low: "#33406e",
  far: "#2a3560",
  middle: "#222a4e",
  near: "#1a1f3c",
  light: "#ffcf70",
};
const morning: Palette = {
  high: "#86c5da",
  low: "#fbe6c2",
  far: "#9cc4b2",
  middle: "#6fa37f",
  near: "#4c7f5a",
  light: "#fff0b8",
};
const autumn: Palette = {
  high: "#d98e4a",
  low: "#fbe0a8",
  far: "#d07a3c",
  middle: "#b3502e",
  near: "#7c3426",
  light: "#ffe9a0",
};
const snow: Palette = {
  high: "#8fa5c9",
  low: "#e9edf6",
  far: "#b3c2dc",
  middle: "#cbd6e8",
  near: "#eef3fa",
  light: "#ffffff",
};
const fog: Palette = {
  high: "#5f7f86",
  low: "#cfe0d6",
  far: "#9db8b2",
  middle: "#6f9490",
  near: "#3f6664",
  light: "#f2f7d8",
};

/** Lantern Road: a girl, a boy and a fox carry a light over the mountains. */
export const lanternRoad = {
  opening: (r: Random): Shot[] => [
    {
      seconds: 1.75,
      camera: { y: [-70, 10] },
      painters: [
        ...sky(r, dusk, { sun: [240, 150, 44], clouds: 5 }),
        ...mountains(r, dusk, { height: 120 }),
        ...lights(r, 9),
      ],
    },
    {
      seconds: 1.6,
      camera: { zoom: [1.25, 1] },
      painters: [
        still(0, fade("bg", "#f2b950", "#d9603f")),
        ...rays("#ffe0a0"),
        closeUp(mika, { x: 170, y: 140, scale: 1.25, look: [-1, 0.6] }, { wind: 1 }),
        closeUp(oto, { x: 345, y: 150, scale: 1.15, look: [1, -0.4] }, { wind: 0.8 }),
      ],
    },
    {
      seconds: 1.65,
      painters: [
        still(0, fade("bg", "#12193f", "#3a2f66")),
        moving(
          0,
          ({ seconds }) =>
            glow("big", 240, 120, 190 + 20 * Math.sin(seconds * 4), "#ffcf70", 0.75) +
            paperLantern("l", 240, 118, "#ffcf70", 4),
        ),
        walk(mika, { x: 90, y: 258, scale: 0.8 }, { x: 190, y: 258 }),
        going(1, { x: -10, y: 258 }, { x: 90, y: 258 }, ({ seconds }) => fox(seconds * 1.5)),
        weather(r, "sparks", 30, "#ffe28a"),
      ],
    },
  ],
  episodes: [
    (r: Random): Shot[] => [
      {
        seconds: 3.25,
        camera: { x: [-110, 90] },
        painters: [
          ...sky(r, dusk, { sun: [360, 130, 26], clouds: 6 }),
          ...street(r, dusk, { roof: "#7a3f4a", isFromAfar: true }),
          birds(r, 7, "#2b2238", { x: 120, y: 70 }, 26),
        ],
      },
      {
        seconds: 3,
        camera: { x: [-30, 60] },
        painters: [
          ...sky(r, night, { stars: 60 }),
          ...street(r, night, { roof: "#8a4a3c", lanterns: true }),
          walk(mika, { x: 60, y: 250, scale: 1.1 }, { x: 330, y: 250 }),
        ],
      },
      {
        seconds: 2.5,
        camera: { zoom: [1, 1.12] },
        painters: [
          ...sky(r, night, { stars: 40 }),
          ...street(r, { ...night, light: "#ff9e5e" }, { roof: "#4a5a6c" }),
          closeUp(mika, { x: 300, y: 130, scale: 1.35, look: [-1, 0] }, { speaks: true }),
        ],
      },
      {
        seconds: 2.75,
        painters: [
          ...room(r, dusk, { wall: "#c98b62", isRound: true, shelfSide: "right" }),
          stand(granny, { x: 120, y: 262, scale: 1.45 }),
          stand(mika, { x: 220, y: 262, scale: 1.3, flip: true }),
        ],
      },
      {
        seconds: 2.5,
        painters: [
          still(0, fade("bg", "#6a3f2e", "#c98b52")),
          moving(0, () => glow("a", 240, 140, 220, "#ffe2a0", 0.7)),
          closeUp(granny, { x: 170, y: 128, scale: 1.4, look: [0.8, 0.2] }, { speaks: true }),
          place(1.2, { x: 395, y: 150 }, () => paperLantern("l", 0, 0, "#ffcf70", 3), { rock: 6 }),
        ],
      },
      {
        seconds: 3.25,
        camera: { y: [60, -30] },
        painters: [
          ...sky(r, morning, { sun: [110, 80, 22], clouds: 5 }),
          ...mountains(r, morning, { hasSnow: true }),
          walk(mika, { x: 150, y: 246, scale: 0.7 }, { x: 330, y: 236, scale: 0.55 }),
          going(1, { x: 90, y: 250, scale: 0.9 }, { x: 270, y: 240, scale: 0.7 }, ({ seconds }) =>
            fox(seconds * 1.6),
          ),
        ],
      },
      {
        seconds: 2.5,
        camera: { x: [60, -60] },
        painters: [
          ...sky(r, fog),
          ...forest(r, fog, { trunks: 3 }),
          going(1, { x: 60, y: 250, scale: 1.6 }, { x: 360, y: 250 }, ({ seconds }) => fox(seconds * 1.8)),
          weather(r, "petals", 24, "#f4f0c0"),
        ],
      },
      {
        seconds: 2.75,
        painters: [
          ...sky(r, { ...fog, high: "#8fa8c0", low: "#f0e6da" }, { sun: [300, 70, 24] }),
          ...forest(r, { ...fog, far: "#7c9aa8" }, { trunks: 2, isFir: true }),
          closeUp(oto, { x: 150, y: 140, scale: 1.3, look: [0, 1] }, { wind: 0.5 }),
          place(1, { x: 360, y: 262, scale: 1.5, flip: true }, () => fox(0)),
        ],
      },
    ],
    (r: Random): Shot[] => [
      {
        seconds: 3,
        camera: { x: [100, -100] },
        painters: [
          ...sky(r, autumn, { sun: [130, 90, 30], clouds: 4 }),
          ...forest(r, autumn, { trunks: 0 }),
          walk(oto, { x: 330, y: 248, scale: 0.95 }, { x: 200, y: 248 }),
          walk(mika, { x: 400, y: 250, scale: 0.9 }, { x: 270, y: 250 }),
          weather(r, "petals", 34, "#e8603a"),
        ],
      },
      {
        seconds: 2.75,
        painters: [
          ...sky(r, autumn, { clouds: 3 }),
          ...river(r, { ...autumn, middle: "#4f8a94", far: "#c9793f" }, { bridge: "#b3443a" }),
          walk(mika, { x: 110, y: 138, scale: 0.6 }, { x: 260, y: 118 }),
          weather(r, "petals", 16, "#f2a03c"),
        ],
      },
      {
        seconds: 2.5,
        camera: { zoom: [1.15, 1] },
        painters: [
          still(0, fade("bg", "#f5c872", "#e8844a")),
          ...forest(r, { ...autumn, near: "#a8582e" }, { trunks: 1 }),
          closeUp(oto, { x: 330, y: 136, scale: 1.45, look: [-0.8, -0.8] }, { speaks: true, wind: 0.6 }),
        ],
      },
      {
        seconds: 3,
        painters: [
          ...sky(r, { ...night, low: "#5a3f6e" }, { stars: 90, sun: [390, 58, 20] }),
          ...mountains(r, { ...night, near: "#2c2338" }, { height: 90 }),
          campfire(240, 240),
          stand(mika, { x: 150, y: 254, scale: 1.05 }),
          stand(oto, { x: 335, y: 254, scale: 1.1, flip: true }),
        ],
      },
      {
        seconds: 2.5,
        painters: [
          still(0, fade("bg", "#20183a", "#5e2c34")),
          moving(0, ({ seconds }) => glow("fire", 60, 260, 260 + 16 * Math.sin(seconds * 9), "#ff8a3c", 0.7)),
          closeUp(mika, { x: 265, y: 134, scale: 1.55, look: [-0.6, -0.6], turn: -6 }),
          weather(r, "sparks", 26, "#ffb35c"),
        ],
      },
      {
        seconds: 2.5,
        camera: { x: [-40, 60] },
        painters: [
          ...sky(r, snow, {}),
          ...mountains(r, snow, { hasSnow: true, height: 140 }),
          ...forest(r, { ...snow, far: "#a9bcd2", middle: "#8aa3bf" }, { trunks: 0, isFir: true }).slice(
            0,
            2,
          ),
          walk(mika, { x: 140, y: 254 }, { x: 250, y: 254 }, { pace: 0.8 }),
          weather(r, "snow", 80, "#ffffff"),
        ],
      },
      {
        seconds: 2.75,
        painters: [
          ...room(
            r,
            { ...snow, high: "#5a78a8", low: "#dfe8f6", light: "#ffe0a0" },
            { wall: "#7f8fa0", shelfSide: "left" },
          ),
          place(1, { x: 250, y: 250, scale: 1.5 }, (s) => cat(s, "#5a5568")),
          stand(oto, { x: 390, y: 262, scale: 1.45, flip: true }),
        ],
      },
      {
        seconds: 3,
        camera: { y: [-60, 0], zoom: [1.2, 1] },
        painters: [
          ...sky(r, { ...night, high: "#071029", low: "#1f5a6e" }, { stars: 130 }),
          still(0.1, aurora()),
          ...mountains(
            r,
            { ...night, far: "#23415c", middle: "#1a3048", near: "#e4ecf6" },
            { hasSnow: true },
          ),
          stand(mika, { x: 215, y: 246, scale: 0.6 }),
          stand(oto, { x: 250, y: 246, scale: 0.64 }),
        ],
      },
    ],
    (r: Random): Shot[] => [
      {
        seconds: 3,
        camera: { x: [-80, 80] },
        painters: [
          ...sky(r, morning, { sun: [380, 60, 24], clouds: 6 }),
          ...meadow(
            r,
            { ...morning, far: "#b5d28a", middle: "#93bf63", near: "#6a9c45" },
            { flowers: "#e85d75", hasWindmill: true },
          ),
          walk(mika, { x: 120, y: 244, scale: 0.8 }, { x: 260, y: 244 }, { pace: 1.8 }),
        ],
      },
      {
        seconds: 2.5,
        painters: [
          ...sky(r, { ...morning, high: "#4fa3d1", low: "#d6f0f2" }, { clouds: 3 }),
          ...meadow(
            r,
            { ...morning, far: "#7fc4a0", middle: "#58a679", near: "#3c8560" },
            { flowers: "#ffd84d" },
          ),
          closeUp(mika, { x: 150, y: 120, scale: 1.3, look: [0.2, 0.8] }, { wind: 1.2, speaks: true }),
        ],
      },
      {
        seconds: 2.75,
        camera: { x: [50, -50] },
        painters: [
          ...sky(r, { ...dusk, high: "#7a3a6c", low: "#ffb48a" }, { clouds: 6 }),
          ...street(
            r,
            { ...dusk, far: "#a8607a", middle: "#8c4a6c", near: "#5c3250" },
            { roof: "#3c4a7c", lanterns: true },
          ),
          walk(oto, { x: 400, y: 252, scale: 1.15 }, { x: 180, y: 252 }, { pace: 1.7 }),
        ],
      },
      {
        seconds: 2.5,
        painters: [
          still(0, fade("bg", "#ff9d76", "#6c3f7a")),
          ...rays("#ffd0a8"),
          closeUp(oto, { x: 240, y: 150, scale: 1.7, look: [0, 0] }, { wind: 0.9 }),
        ],
      },
      {
        seconds: 3,
        painters: [
          ...sky(r, { ...night, low: "#2f5a6c" }, { stars: 50, sun: [90, 54, 24] }),
          ...river(r, { ...night, middle: "#1f4a5e" }, { bridge: "#6c5a7a" }),
          ...floating(r, 14),
        ],
      },
      {
        seconds: 2.75,
        camera: { zoom: [1, 1.2] },
        painters: [
          still(0, fade("bg", "#182a44", "#2f6a72")),
          ...floating(r, 6),
          closeUp(granny, { x: 330, y: 140, scale: 1.3, look: [-1, -0.6] }),
          closeUp(mika, { x: 150, y: 156, scale: 1.1, look: [0.7, 0.7] }, { speaks: true }),
        ],
      },
      {
        seconds: 2.5,
        camera: { y: [20, -40] },
        painters: [
          ...sky(r, { ...night, high: "#1a0f3c", low: "#6e3a6a" }, { stars: 70 }),
          ...lights(r, 26),
          ...mountains(r, { ...night, far: "#3a2458", middle: "#2a1a44", near: "#1c1230" }, { height: 70 }),
        ],
      },
      {
        seconds: 2.75,
        painters: [
          ...sky(r, { ...morning, high: "#f7a072", low: "#ffe8c8" }, { sun: [240, 176, 40] }),
          ...meadow(
            r,
            { ...morning, far: "#c98a5c", middle: "#8c6a4c", near: "#4c4a3c" },
            { hasFence: true },
          ),
          walk(mika, { x: 170, y: 224, scale: 0.7 }, { x: 225, y: 214, scale: 0.45 }),
          walk(oto, { x: 210, y: 226, scale: 0.74 }, { x: 250, y: 214, scale: 0.48 }),
          going(1, { x: 130, y: 228, scale: 0.8 }, { x: 205, y: 216, scale: 0.5 }, ({ seconds }) =>
            fox(seconds),
          ),
        ],
      },
    ],
  ],
};

/** Lanterns that rise into the sky. */
function lights(r: Random, count: number) {
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

/** Lanterns that drift on the water. */
function floating(r: Random, count: number) {
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

function campfire(x: number, y: number) {
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

function rays(color: string) {
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

function aurora(): string {
  return [0, 1, 2]
    .map(
      (i) =>
        `<path d="M-200 ${50 + i * 26} Q60 ${-20 + i * 30} 240 ${70 + i * 18} T700 ${30 + i * 26} V${150 + i * 20} Q460 ${110 + i * 20} 240 ${150 + i * 16} T-200 ${120 + i * 22} Z" fill="${["#6ff2c0", "#58c9e8", "#a98af0"][i]}" fill-opacity="0.28"/>`,
    )
    .join("");
}
