import { attach, closeUp, stand, walk } from "../actors/acting.ts";
import { cat, umbrella, weather } from "../actors/props.ts";
import { fade } from "../drawing/drawing.ts";
import type { Random } from "../drawing/random.ts";
import { going, type Shot, still } from "../drawing/shot.ts";
import { room } from "../scenery/indoors.ts";
import { sky } from "../scenery/outdoors.ts";
import { skyline, station, street } from "../scenery/town.ts";
import { nami, noon, rain, riku, sena, spring, sunset } from "./cast.ts";
import { rainbow, window } from "./effects.ts";

/** The shots of one episode, without the opening. */
export const episode2 = (r: Random): Shot[] => [
  {
    seconds: 2.75,
    elements: [
      ...sky(r, rain, {}),
      ...street(r, rain, { roof: "#3f4f6c" }),
      walk(sena, { x: 120, y: 252, scale: 1.1 }, { x: 270, y: 252 }, { pace: 0.9 }),
      going(1.1, { x: 124, y: 182, scale: 0.9 }, { x: 274, y: 182 }, () => umbrella("#e8485c")),
      weather(r, "rain", 90, "#d8e6f0"),
    ],
  },
  {
    seconds: 2.5,
    elements: [
      still(0, fade("bg", "#6a7a90", "#93a5b2")),
      weather(r, "rain", 60, "#c8d8e4"),
      attach(0.9, { x: 262, y: 218, scale: 3 }, () => umbrella("#f2b83c"), { rock: 2 }),
      closeUp(riku, { x: 240, y: 184, scale: 0.95, gaze: [0, -0.8] }, { wind: 0.2 }),
    ],
  },
  {
    seconds: 2.75,
    camera: { x: [-40, 40] },
    elements: [
      ...room(r, { ...rain, light: "#ffd98a" }, { wall: "#8aa08c", shelfSide: "right" }),
      stand(nami, { x: 70, y: 262, scale: 1.5 }),
      attach(1, { x: 200, y: 254, scale: 1 }, (s) => cat(s, "#e89a4c")),
    ],
  },
  {
    seconds: 2.5,
    elements: [
      still(0, fade("bg", "#4f6f6a", "#9fbfa8")),
      ...window(),
      closeUp(sena, { x: 150, y: 138, scale: 1.4, gaze: [0.2, 1] }, { wind: 0.1 }),
    ],
  },
  {
    seconds: 3,
    elements: [
      ...sky(r, { ...noon, high: "#6ab8d8", low: "#f2f6dc" }, { clouds: 4 }),
      still(0.15, rainbow()),
      ...skyline(r, { ...noon, far: "#a8c8d4", middle: "#88b0c0", near: "#6890a4" }),
    ],
  },
  {
    seconds: 2.75,
    elements: [
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
    elements: [
      still(0, fade("bg", "#cfe8d8", "#f8f2d8")),
      ...station(
        r,
        { ...spring, far: "#56706a", middle: "#6a8a80", near: "#a8b0a8" },
        { train: "#d8605c", speed: 90 },
      ).slice(0, 1),
      closeUp(nami, { x: 310, y: 142, scale: 1.45, gaze: [0, -1] }, { wind: 1.4 }),
    ],
  },
  {
    seconds: 2.75,
    elements: [
      ...sky(r, { ...sunset, high: "#6a5aa8", low: "#ffb8a0" }, { sun: [120, 120, 30], clouds: 4 }),
      ...skyline(r, { ...sunset, far: "#a0608c", middle: "#7a4878", near: "#503058" }, {}),
      walk(sena, { x: 380, y: 262, scale: 0.8 }, { x: 300, y: 262 }),
      walk(nami, { x: 330, y: 262, scale: 0.8 }, { x: 250, y: 262 }),
    ],
  },
];
