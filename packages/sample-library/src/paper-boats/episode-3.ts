import { attach, closeUp, stand, walk } from "../actors/acting.ts";
import { paperBoat, sailBoat, weather } from "../actors/props.ts";
import { fade } from "../drawing/drawing.ts";
import type { Random } from "../drawing/random.ts";
import { going, type Shot, still } from "../drawing/shot.ts";
import { meadow, sea, sky } from "../scenery/outdoors.ts";
import { dusk, nami, noon, riku, sena, spring } from "./cast.ts";
import { blossom, fireworks, fleet, lowSkyline } from "./effects.ts";

/** The shots of one episode, without the opening. */
export const episode3 = (r: Random): Shot[] => [
  {
    seconds: 3,
    camera: { x: [70, -70] },
    elements: [
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
    elements: [
      still(0, fade("bg", "#fbd0dc", "#fff4f0")),
      ...blossom(),
      closeUp(sena, { x: 240, y: 134, scale: 1.55, gaze: [0, 0.5] }, { speaks: true, wind: 0.9 }),
      weather(r, "petals", 22, "#f48fb0"),
    ],
  },
  {
    seconds: 2.75,
    elements: [
      ...sky(r, { ...noon, high: "#2f80d0", low: "#a8e0f0" }, { clouds: 6 }),
      ...sea(r, { ...noon, middle: "#1f74b4", far: "#4f9a78" }, { horizon: 170 }),
      going(0.9, { x: 110, y: 196, scale: 1 }, { x: 250, y: 204, scale: 1.2 }, () =>
        sailBoat("#f25c54", "#f4ead4"),
      ),
      going(0.6, { x: 420, y: 176, scale: 0.4 }, { x: 380, y: 176 }, () => sailBoat("#ffd84d", "#5a4a44")),
    ],
  },
  {
    seconds: 2.75,
    camera: { zoom: [1, 1.12] },
    elements: [
      ...sky(r, { ...noon, high: "#52b4e4", low: "#f0f8e4" }, { clouds: 3 }),
      ...sea(r, { ...noon, middle: "#3fa4c4", near: "#e8c890" }, { horizon: 100, hasBeach: true }),
      stand(riku, { x: 330, y: 258, scale: 1.25, flip: true }),
      stand(nami, { x: 160, y: 258, scale: 1.2 }),
      attach(1, { x: 244, y: 256, scale: 0.45 }, () => paperBoat("#d8ecff")),
    ],
  },
  {
    seconds: 2.5,
    elements: [
      ...sky(r, { ...noon, high: "#1f6ab4", low: "#7fd0e8" }, { clouds: 8 }),
      closeUp(nami, { x: 130, y: 150, scale: 1.25, gaze: [0.6, 0.6] }, { wind: 1.3 }),
      closeUp(riku, { x: 350, y: 156, scale: 1.25, gaze: [-0.6, -0.6] }, { speaks: true, wind: 1 }),
    ],
  },
  {
    seconds: 2.75,
    elements: [
      ...sky(r, { ...dusk, high: "#10204c", low: "#2f4a80" }, { stars: 50 }),
      fireworks(),
      ...lowSkyline(r),
    ],
  },
  {
    seconds: 2.5,
    elements: [
      still(0, fade("bg", "#2a1a4c", "#6a2f6a")),
      fireworks(),
      closeUp(sena, { x: 345, y: 146, scale: 1.35, gaze: [-0.8, -0.2] }),
    ],
  },
  {
    seconds: 2.75,
    camera: { y: [30, -30] },
    elements: [
      ...sky(r, { ...dusk, low: "#8c5a8c" }, { stars: 80, sun: [340, 60, 18] }),
      ...sea(r, { ...dusk, middle: "#2c3a70", far: "#20284c" }, { horizon: 160, hasLighthouse: true }),
      ...fleet(),
    ],
  },
];
