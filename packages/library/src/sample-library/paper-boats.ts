import { closeUp, place, stand, walk } from "./acting.ts";
import type { Character } from "./characters.ts";
import { cel, circle, ellipse, fade, flat, group, polygon, rect } from "./drawing.ts";
import { classroom, room } from "./indoors.ts";
import { meadow, type Palette, sea, sky } from "./outdoors.ts";
import { birds, cat, paperBoat, sailBoat, umbrella, weather } from "./props.ts";
import type { Random } from "./random.ts";
import { going, moving, type Painter, type Shot, still } from "./shot.ts";
import { river, skyline, station, street } from "./town.ts";

const nami: Character = {
  skin: "#fbdcc4",
  hair: "#2f6f9f",
  eyes: "#2f86c9",
  clothes: "#f4f6fb",
  accent: "#2f5fa8",
  style: "bob",
};
const riku: Character = {
  skin: "#e2b088",
  hair: "#e8b84a",
  eyes: "#4a8a3c",
  clothes: "#38507a",
  accent: "#e8e8f0",
  style: "spiky",
};
const sena: Character = {
  skin: "#f8d8c8",
  hair: "#d86a9c",
  eyes: "#a83c7a",
  clothes: "#f4f6fb",
  accent: "#c9487a",
  style: "long",
};

const noon: Palette = {
  high: "#3fa0e0",
  low: "#d8f1fb",
  far: "#7fc8c0",
  middle: "#2f8fc4",
  near: "#f2dfae",
  light: "#fff6c8",
};
const school: Palette = {
  high: "#8fd0f0",
  low: "#f6ecd6",
  far: "#e6d2a8",
  middle: "#c8a878",
  near: "#a07848",
  light: "#fff0b0",
};
const rain: Palette = {
  high: "#5a6a80",
  low: "#a8b8c4",
  far: "#74869a",
  middle: "#5c6e84",
  near: "#46566a",
  light: "#ffe9a8",
};
const sunset: Palette = {
  high: "#c84a6c",
  low: "#ffc46a",
  far: "#8c3f6c",
  middle: "#d8705c",
  near: "#5a2c4c",
  light: "#ffe08a",
};
const spring: Palette = {
  high: "#a8d8f0",
  low: "#fde8ee",
  far: "#c8dca0",
  middle: "#a0c878",
  near: "#78a85c",
  light: "#fff4d8",
};
const evening: Palette = {
  high: "#1f3a6c",
  low: "#e07a7a",
  far: "#3f4a7c",
  middle: "#2f386a",
  near: "#20284c",
  light: "#ffd98a",
};

/** Paper Boats: three friends by the sea, two seasons. */
export const paperBoats = {
  opening: (r: Random): Shot[] => [
    {
      seconds: 1.75,
      camera: { x: [-30, 40] },
      painters: [
        ...sky(r, noon, { sun: [400, 50, 26], clouds: 7 }),
        ...sea(r, noon, { horizon: 120 }),
        place(0.9, { x: 240, y: 190, scale: 1.7 }, () => paperBoat(), { bob: 7, rock: 9 }),
      ],
    },
    {
      seconds: 1.6,
      painters: [
        still(0, fade("bg", "#fef2c8", "#f7b8c8") + stripes("#ffffff")),
        closeUp(nami, { x: 110, y: 160, scale: 1, look: [0, 0.6] }, { wind: 0.9 }),
        closeUp(riku, { x: 245, y: 150, scale: 1.05 }, { wind: 0.9 }),
        closeUp(sena, { x: 380, y: 160, scale: 1, look: [0, -0.6] }, { wind: 0.9 }),
      ],
    },
    {
      seconds: 1.65,
      painters: [
        still(0, fade("bg", "#7fd0ea", "#eafaff")),
        birds(r, 9, "#3a5a8c", { x: 90, y: 60 }, 70),
        walk(nami, { x: 60, y: 246, scale: 1.2 }, { x: 220, y: 246 }, { pace: 2 }),
        walk(riku, { x: 160, y: 250, scale: 1.3 }, { x: 320, y: 250 }, { pace: 1.9 }),
        walk(sena, { x: 250, y: 246, scale: 1.2 }, { x: 410, y: 246 }, { pace: 2.1 }),
        still(0.9, rect(-100, 240, 700, 60, flat("#f6d88a"))),
        weather(r, "petals", 22, "#ffffff"),
      ],
    },
  ],
  seasons: [
    [
      (r: Random): Shot[] => [
        {
          seconds: 3,
          camera: { x: [-90, 60] },
          painters: [
            ...sky(r, noon, { clouds: 5 }),
            ...sea(r, { ...noon, middle: "#3fb0c8" }, { horizon: 150, hasLighthouse: true, hasBeach: true }),
            birds(r, 6, "#ffffff", { x: 200, y: 80 }, 30),
          ],
        },
        {
          seconds: 2.5,
          painters: [
            ...classroom(r, school, { board: "#3c6a54" }),
            stand(riku, { x: 330, y: 232, scale: 1.2 }, 0.9),
            stand(sena, { x: 110, y: 236, scale: 1.15 }, 0.9),
          ],
        },
        {
          seconds: 2.5,
          camera: { zoom: [1.12, 1] },
          painters: [
            ...classroom(r, { ...school, low: "#ece4f0" }, { board: "#4a5a7c", windowsRight: true }),
            closeUp(nami, { x: 165, y: 140, scale: 1.35, look: [0.9, -0.2] }, { speaks: true }),
          ],
        },
        {
          seconds: 2.75,
          painters: [
            ...sky(r, { ...noon, high: "#5fb8e8" }, { clouds: 4 }),
            ...river(
              r,
              { ...noon, far: "#8cc878", middle: "#58b0d0", near: "#68a050" },
              { bridge: "#d8c8b0" },
            ),
            going(0.9, { x: 90, y: 226, scale: 0.8 }, { x: 300, y: 216 }, () => paperBoat("#fff4d0")),
          ],
        },
        {
          seconds: 2.5,
          painters: [
            still(0, fade("bg", "#4fb0d8", "#2a7ab0")),
            moving(0.4, ({ seconds }) =>
              Array.from({ length: 16 }, (_, i) =>
                ellipse(
                  ((i * 67 + seconds * 20) % 560) - 30,
                  30 + ((i * 53) % 230),
                  36,
                  2,
                  flat("#bfeaff", 0.55),
                ),
              ).join(""),
            ),
            place(1, { x: 240, y: 170, scale: 2.6 }, () => paperBoat("#ffd8dc"), { bob: 8, rock: 8 }),
          ],
        },
        {
          seconds: 2.75,
          camera: { x: [40, -40] },
          painters: [
            ...sky(r, sunset, { sun: [240, 130, 40], clouds: 5 }),
            ...sea(r, { ...sunset, middle: "#c05a64", far: "#6a2c54" }, { horizon: 132 }),
            still(
              0.9,
              rect(-200, 232, 900, 100, cel("#4a2c44")) +
                rect(-200, 210, 900, 5, cel("#3a2038")) +
                [0, 1, 2, 3, 4, 5].map((i) => rect(20 + i * 90, 210, 5, 24, cel("#3a2038"))).join(""),
            ),
            stand(nami, { x: 200, y: 234, scale: 0.95 }),
            stand(riku, { x: 270, y: 234, scale: 1.02, flip: true }),
          ],
        },
        {
          seconds: 2.5,
          painters: [
            still(0, fade("bg", "#ff9a6a", "#ffd88a")),
            closeUp(riku, { x: 320, y: 138, scale: 1.5, look: [-0.9, 0] }, { speaks: true, wind: 0.8 }),
          ],
        },
        {
          seconds: 2.75,
          camera: { zoom: [1, 1.15] },
          painters: [
            ...sky(r, evening, { stars: 30 }),
            ...street(r, { ...evening, far: "#4a5488", middle: "#5a5080" }, { roof: "#3a6a8c" }),
            walk(nami, { x: 340, y: 250, scale: 1 }, { x: 210, y: 250 }),
            place(1.1, { x: 90, y: 250, scale: 0.7 }, (s) => cat(s, "#f0f0f4")),
          ],
        },
      ],
      (r: Random): Shot[] => [
        {
          seconds: 2.75,
          painters: [
            ...sky(r, rain, {}),
            ...street(r, rain, { roof: "#3f4f6c" }),
            walk(sena, { x: 120, y: 252, scale: 1.1 }, { x: 270, y: 252 }, { pace: 0.9 }),
            going(1.1, { x: 124, y: 182, scale: 0.9 }, { x: 274, y: 182 }, () => umbrella("#e8485c")),
            weather(r, "rain", 90, "#d8e6f0"),
          ],
        },
        {
          seconds: 2.5,
          painters: [
            still(0, fade("bg", "#6a7a90", "#93a5b2")),
            weather(r, "rain", 60, "#c8d8e4"),
            place(0.9, { x: 262, y: 218, scale: 3 }, () => umbrella("#f2b83c"), { rock: 2 }),
            closeUp(riku, { x: 240, y: 184, scale: 0.95, look: [0, -0.8] }, { wind: 0.2 }),
          ],
        },
        {
          seconds: 2.75,
          camera: { x: [-40, 40] },
          painters: [
            ...room(r, { ...rain, light: "#ffd98a" }, { wall: "#8aa08c", shelfSide: "right" }),
            stand(nami, { x: 70, y: 262, scale: 1.5 }),
            place(1, { x: 200, y: 254, scale: 1 }, (s) => cat(s, "#e89a4c")),
          ],
        },
        {
          seconds: 2.5,
          painters: [
            still(0, fade("bg", "#4f6f6a", "#9fbfa8")),
            ...window(),
            closeUp(sena, { x: 150, y: 138, scale: 1.4, look: [0.2, 1] }, { wind: 0.1 }),
          ],
        },
        {
          seconds: 3,
          painters: [
            ...sky(r, { ...noon, high: "#6ab8d8", low: "#f2f6dc" }, { clouds: 4 }),
            still(0.15, rainbow()),
            ...skyline(r, { ...noon, far: "#a8c8d4", middle: "#88b0c0", near: "#6890a4" }),
          ],
        },
        {
          seconds: 2.75,
          painters: [
            ...sky(r, spring, { clouds: 3 }),
            ...station(
              r,
              { ...spring, far: "#7c5a4c", middle: "#9c7a64", near: "#8c8a94" },
              { train: "#4a9a6a", speed: 46 },
            ),
            stand(riku, { x: 360, y: 222, scale: 1.15, flip: true }, 1.05),
          ],
        },
        {
          seconds: 2.5,
          camera: { zoom: [1.2, 1] },
          painters: [
            still(0, fade("bg", "#cfe8d8", "#f8f2d8")),
            ...station(
              r,
              { ...spring, far: "#56706a", middle: "#6a8a80", near: "#a8b0a8" },
              { train: "#d8605c", speed: 90 },
            ).slice(0, 1),
            closeUp(nami, { x: 310, y: 142, scale: 1.45, look: [0, -1] }, { wind: 1.4 }),
          ],
        },
        {
          seconds: 2.75,
          painters: [
            ...sky(r, { ...sunset, high: "#6a5aa8", low: "#ffb8a0" }, { sun: [120, 120, 30], clouds: 4 }),
            ...skyline(r, { ...sunset, far: "#a0608c", middle: "#7a4878", near: "#503058" }, {}),
            walk(sena, { x: 380, y: 262, scale: 0.8 }, { x: 300, y: 262 }),
            walk(nami, { x: 330, y: 262, scale: 0.8 }, { x: 250, y: 262 }),
          ],
        },
      ],
    ],
    [
      (r: Random): Shot[] => [
        {
          seconds: 3,
          camera: { x: [70, -70] },
          painters: [
            ...sky(r, spring, { clouds: 5 }),
            ...meadow(
              r,
              { ...spring, far: "#f2b8c8", middle: "#b8d488", near: "#88b460" },
              { flowers: "#ffffff", hasFence: true },
            ),
            ...blossom(),
            weather(r, "petals", 46, "#f7a8c0"),
            walk(sena, { x: 300, y: 248, scale: 0.95 }, { x: 180, y: 248 }),
          ],
        },
        {
          seconds: 2.5,
          painters: [
            still(0, fade("bg", "#fbd0dc", "#fff4f0")),
            ...blossom(),
            closeUp(sena, { x: 240, y: 134, scale: 1.55, look: [0, 0.5] }, { speaks: true, wind: 0.9 }),
            weather(r, "petals", 22, "#f48fb0"),
          ],
        },
        {
          seconds: 2.75,
          painters: [
            ...sky(r, { ...noon, high: "#2f80d0", low: "#a8e0f0" }, { clouds: 6 }),
            ...sea(r, { ...noon, middle: "#1f74b4", far: "#4f9a78" }, { horizon: 170 }),
            going(0.9, { x: 110, y: 196, scale: 1 }, { x: 250, y: 204, scale: 1.2 }, () =>
              sailBoat("#f25c54", "#f4ead4"),
            ),
            going(0.6, { x: 420, y: 176, scale: 0.4 }, { x: 380, y: 176 }, () =>
              sailBoat("#ffd84d", "#5a4a44"),
            ),
          ],
        },
        {
          seconds: 2.75,
          camera: { zoom: [1, 1.12] },
          painters: [
            ...sky(r, { ...noon, high: "#52b4e4", low: "#f0f8e4" }, { clouds: 3 }),
            ...sea(r, { ...noon, middle: "#3fa4c4", near: "#e8c890" }, { horizon: 100, hasBeach: true }),
            stand(riku, { x: 330, y: 258, scale: 1.25, flip: true }),
            stand(nami, { x: 160, y: 258, scale: 1.2 }),
            place(1, { x: 244, y: 256, scale: 0.45 }, () => paperBoat("#d8ecff")),
          ],
        },
        {
          seconds: 2.5,
          painters: [
            ...sky(r, { ...noon, high: "#1f6ab4", low: "#7fd0e8" }, { clouds: 8 }),
            closeUp(nami, { x: 130, y: 150, scale: 1.25, look: [0.6, 0.6] }, { wind: 1.3 }),
            closeUp(riku, { x: 350, y: 156, scale: 1.25, look: [-0.6, -0.6] }, { speaks: true, wind: 1 }),
          ],
        },
        {
          seconds: 2.75,
          painters: [
            ...sky(r, { ...evening, high: "#10204c", low: "#2f4a80" }, { stars: 50 }),
            fireworks(),
            ...lowSkyline(r),
          ],
        },
        {
          seconds: 2.5,
          painters: [
            still(0, fade("bg", "#2a1a4c", "#6a2f6a")),
            fireworks(),
            closeUp(sena, { x: 345, y: 146, scale: 1.35, look: [-0.8, -0.2] }),
          ],
        },
        {
          seconds: 2.75,
          camera: { y: [30, -30] },
          painters: [
            ...sky(r, { ...evening, low: "#8c5a8c" }, { stars: 80, sun: [340, 60, 18] }),
            ...sea(
              r,
              { ...evening, middle: "#2c3a70", far: "#20284c" },
              { horizon: 160, hasLighthouse: true },
            ),
            ...fleet(),
          ],
        },
      ],
    ],
  ],
};

function stripes(color: string): string {
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

function window() {
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

function rainbow(): string {
  return ["#e85c5c", "#f2a04c", "#f4dc5c", "#6cc878", "#5aa0e0", "#8a6cc8"]
    .map((color, i) =>
      circle(250, 250, 220 - i * 11, `fill="none" stroke="${color}" stroke-opacity="0.55" stroke-width="11"`),
    )
    .join("");
}

function blossom() {
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

function lowSkyline(r: Random) {
  const p = { ...evening, far: "#3a4a8c", middle: "#2c3a78", near: "#1c2658" };
  return skyline(r, p, { isNight: true }).map(
    (painter): Painter =>
      (m) =>
        painter(m).map(({ depth, svg }) => ({ depth: depth + 0.3, svg: group({ y: 110 }, svg) })),
  );
}

function fireworks() {
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

function fleet() {
  return Array.from({ length: 8 }, (_, i) =>
    place(
      0.8,
      { x: 30 + i * 62, y: 196 + ((i * 29) % 52), scale: 0.4 + ((i * 29) % 52) / 130 },
      () => paperBoat(["#ffe9a8", "#ffd0d0", "#d0f0ff"][i % 3]),
      { bob: 3, rock: 5 },
    ),
  );
}
