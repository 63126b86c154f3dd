import { attach, closeUp, stand, walk } from "../actors/acting.ts";
import { cat, weather } from "../actors/props.ts";
import { fade, glow } from "../drawing/drawing.ts";
import type { Random } from "../drawing/random.ts";
import { moving, type Shot, still } from "../drawing/shot.ts";
import { room } from "../scenery/indoors.ts";
import { forest, mountains, sky } from "../scenery/outdoors.ts";
import { river } from "../scenery/town.ts";
import { autumn, mika, night, oto, snow } from "./cast.ts";
import { aurora, campfire } from "./effects.ts";

/** The shots of one episode, without the opening. */
export const episode2 = (r: Random): Shot[] => [
  {
    seconds: 3,
    camera: { x: [100, -100] },
    elements: [
      ...sky(r, autumn, { sun: [130, 90, 30], clouds: 4 }),
      ...forest(r, autumn, { trunks: 0 }),
      walk(oto, { x: 330, y: 248, scale: 0.95 }, { x: 200, y: 248 }),
      walk(mika, { x: 400, y: 250, scale: 0.9 }, { x: 270, y: 250 }),
      weather(r, "petals", 34, "#e8603a"),
    ],
  },
  {
    seconds: 2.75,
    elements: [
      ...sky(r, autumn, { clouds: 3 }),
      ...river(r, { ...autumn, middle: "#4f8a94", far: "#c9793f" }, { bridge: "#b3443a" }),
      walk(mika, { x: 110, y: 138, scale: 0.6 }, { x: 260, y: 118 }),
      weather(r, "petals", 16, "#f2a03c"),
    ],
  },
  {
    seconds: 2.5,
    camera: { zoom: [1.15, 1] },
    elements: [
      still(0, fade("bg", "#f5c872", "#e8844a")),
      ...forest(r, { ...autumn, near: "#a8582e" }, { trunks: 1 }),
      closeUp(oto, { x: 330, y: 136, scale: 1.45, gaze: [-0.8, -0.8] }, { speaks: true, wind: 0.6 }),
    ],
  },
  {
    seconds: 3,
    camera: { zoom: [1, 1.14] },
    elements: [
      ...sky(r, { ...night, low: "#5a3f6e" }, { stars: 90, sun: [390, 58, 20] }),
      ...mountains(r, { ...night, near: "#2c2338" }, { height: 90 }),
      campfire(240, 240),
      stand(mika, { x: 150, y: 254, scale: 1.05 }),
      stand(oto, { x: 335, y: 254, scale: 1.1, flip: true }),
    ],
  },
  {
    seconds: 2.5,
    elements: [
      still(0, fade("bg", "#20183a", "#5e2c34")),
      moving(0, ({ seconds }) => glow("fire", 60, 260, 260 + 16 * Math.sin(seconds * 9), "#ff8a3c", 0.7)),
      closeUp(mika, { x: 265, y: 134, scale: 1.55, gaze: [-0.6, -0.6], turn: -6 }),
      weather(r, "sparks", 26, "#ffb35c"),
    ],
  },
  {
    seconds: 2.5,
    camera: { x: [-40, 60] },
    elements: [
      ...sky(r, snow, {}),
      ...mountains(r, snow, { hasSnow: true, height: 140 }),
      ...forest(r, { ...snow, far: "#a9bcd2", middle: "#8aa3bf" }, { trunks: 0, isFir: true }).slice(0, 2),
      walk(mika, { x: 140, y: 254 }, { x: 250, y: 254 }, { pace: 0.8 }),
      weather(r, "snow", 80, "#ffffff"),
    ],
  },
  {
    seconds: 2.75,
    camera: { zoom: [1.12, 1] },
    elements: [
      ...room(
        r,
        { ...snow, high: "#5a78a8", low: "#dfe8f6", light: "#ffe0a0" },
        { wall: "#7f8fa0", shelfSide: "left" },
      ),
      attach(1, { x: 250, y: 250, scale: 1.5 }, (s) => cat(s, "#5a5568")),
      stand(oto, { x: 390, y: 262, scale: 1.45, flip: true }),
    ],
  },
  {
    seconds: 3,
    camera: { y: [-60, 0], zoom: [1.2, 1] },
    elements: [
      ...sky(r, { ...night, high: "#071029", low: "#1f5a6e" }, { stars: 130 }),
      still(0.1, aurora()),
      ...mountains(r, { ...night, far: "#23415c", middle: "#1a3048", near: "#e4ecf6" }, { hasSnow: true }),
      stand(mika, { x: 215, y: 246, scale: 0.6 }),
      stand(oto, { x: 250, y: 246, scale: 0.64 }),
    ],
  },
];
