import { attach, closeUp, stand, walk } from "../actors/acting.ts";
import { robot, rocket, weather } from "../actors/props.ts";
import { circle, fade, flat, rect } from "../drawing/drawing.ts";
import type { Random } from "../drawing/random.ts";
import { going, type Shot, still } from "../drawing/shot.ts";
import { mountains, sky } from "../scenery/outdoors.ts";
import { deepSpace, moonGround, planet } from "../scenery/space.ts";
import { skyline } from "../scenery/town.ts";
import { dax, green, grey, kei, rust, vera, violet } from "./cast.ts";
import { beams, jungle } from "./effects.ts";

/** The shots of one episode, without the opening. */
export const episode2 = (r: Random): Shot[] => [
  {
    seconds: 3,
    camera: { x: [80, -80] },
    elements: [
      ...sky(r, rust, { sun: [140, 70, 18], clouds: 2 }),
      ...mountains(r, rust, { height: 90 }),
      attach(0.9, { x: 330, y: 236, scale: 0.8 }, (s) => robot("#5a6a7c", "#e8543c", s * 0.7)),
      walk(dax, { x: 210, y: 244, scale: 0.6 }, { x: 250, y: 244 }),
    ],
  },
  {
    seconds: 2.5,
    elements: [
      still(0, fade("bg", "#f2c07a", "#d8744c")),
      still(0.5, circle(400, 70, 44, flat("#fff0c8"))),
      closeUp(dax, { x: 160, y: 140, scale: 1.5, gaze: [1, 0.2] }, { wind: 1.2 }),
      weather(r, "sparks", 40, "#8c4a30"),
    ],
  },
  {
    seconds: 2.75,
    elements: [
      ...sky(r, { ...green, high: "#0c3a4c", low: "#a8e8b0" }, { stars: 20, sun: [380, 60, 34] }),
      ...jungle(),
      walk(vera, { x: 120, y: 248, scale: 1.05 }, { x: 230, y: 248 }),
      weather(r, "sparks", 40, "#eaff9a"),
    ],
  },
  {
    seconds: 2.5,
    camera: { zoom: [1, 1.12] },
    elements: [
      still(0, fade("bg", "#0f4a3c", "#6cc878")),
      ...jungle(),
      closeUp(vera, { x: 300, y: 140, scale: 1.4, gaze: [-0.2, -0.8] }, { speaks: true, wind: 0.4 }),
    ],
  },
  {
    seconds: 2.75,
    elements: [
      ...deepSpace(r, { ...violet, high: "#1a0420", low: "#5c0c4c", far: "#e83c8c", middle: "#f28a4c" }),
      planet(r, 120, 150, 96, "#b83c5c", { hasCraters: true }),
      going(1, { x: 440, y: 60, scale: 0.7 }, { x: 200, y: 130, scale: 0.35 }, ({ seconds }) =>
        rocket("#bfeaf5", seconds),
      ),
    ],
  },
  {
    seconds: 2.75,
    elements: [
      ...sky(r, { ...violet, high: "#0c1440", low: "#6c3c8c" }, { stars: 60 }),
      ...skyline(
        r,
        { ...violet, far: "#3c2c6c", middle: "#2c2058", near: "#1c1440", light: "#5ce0ff" },
        { isNight: true },
      ),
      ...beams(),
      attach(1.1, { x: 130, y: 276, scale: 1.1 }, (s) => robot("#d8dce8", "#5a7ae0", s * 0.5, 0.6)),
    ],
  },
  {
    seconds: 2.5,
    elements: [
      still(
        0,
        fade("bg", "#e8ecf4", "#a8b8d0") +
          Array.from({ length: 8 }, (_, i) => rect(i * 70 - 20, -20, 50, 320, flat("#ffffff", 0.4))).join(""),
      ),
      attach(1, { x: 250, y: 420, scale: 2.5 }, (s) => robot("#e8b83c", "#3c6ae8", s * 0.6)),
    ],
  },
  {
    seconds: 3,
    camera: { y: [-40, 30], zoom: [1.15, 1] },
    elements: [
      ...deepSpace(r, { ...grey, low: "#0c1c3c", far: "#3c5a9c" }),
      planet(r, 400, 200, 120, "#3c8ac8"),
      ...moonGround(r, { ...grey, far: "#3c3448", middle: "#54485c", near: "#6c5c6c" }),
      stand(kei, { x: 180, y: 244, scale: 0.75 }),
      stand(vera, { x: 230, y: 244, scale: 0.75 }),
      attach(1, { x: 110, y: 246, scale: 0.75 }, (s) => robot("#4a6aa8", "#ffd166", s * 0.4)),
    ],
  },
];
