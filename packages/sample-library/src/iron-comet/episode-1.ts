import { closeUp, walk } from "../actors/acting.ts";
import { robot, rocket } from "../actors/props.ts";
import { fade, glow } from "../drawing/drawing.ts";
import type { Random } from "../drawing/random.ts";
import { going, moving, type Shot, still } from "../drawing/shot.ts";
import { cockpit, corridor } from "../scenery/indoors.ts";
import { asteroids, deepSpace, moonGround, planet } from "../scenery/space.ts";
import { alarm, dax, grey, kei, teal, vera, violet } from "./cast.ts";
import { comet } from "./effects.ts";

/** The shots of one episode, without the opening. */
export const episode1 = (r: Random): Shot[] => [
  {
    seconds: 3,
    camera: { x: [-40, 60] },
    elements: [
      ...deepSpace(r, violet),
      planet(r, 340, 120, 82, "#d89a5c", { ring: "#f2dca8" }),
      going(1, { x: 60, y: 210, scale: 0.5 }, { x: 300, y: 160 }, ({ seconds }) =>
        rocket("#e8e4dc", seconds),
      ),
    ],
  },
  {
    seconds: 2.5,
    elements: [
      ...deepSpace(r, teal),
      ...cockpit(r, teal, { panel: "#4c5a6c" }),
      ...[closeUp(vera, { x: 360, y: 150, scale: 0.85, gaze: [-0.6, -0.6] }, { speaks: true })],
    ],
  },
  {
    seconds: 2.5,
    camera: { zoom: [1.15, 1] },
    elements: [
      still(0, fade("bg", "#0f2a3c", "#2c6a7c")),
      moving(0.2, ({ seconds }) => glow("scan", 80 + 160 * seconds, 120, 140, "#7ae0c3", 0.5)),
      closeUp(kei, { x: 220, y: 142, scale: 1.5, gaze: [0.4, 0.9] }, { speaks: true }),
    ],
  },
  {
    seconds: 2.75,
    elements: [
      ...deepSpace(r, { ...teal, far: "#4a4a7a" }),
      asteroids(r, "#8a7a70", 18),
      going(1, { x: 40, y: 90, scale: 0.9 }, { x: 330, y: 190 }, ({ seconds }) => rocket("#f2c84c", seconds)),
    ],
  },
  {
    seconds: 2.75,
    camera: { x: [-60, 60] },
    elements: [
      ...deepSpace(r, grey),
      planet(r, 90, 70, 40, "#4a8ad0"),
      ...moonGround(r, grey, { hasDomes: true }),
      walk(kei, { x: 210, y: 248, scale: 0.8 }, { x: 300, y: 248 }, { pace: 0.7 }),
    ],
  },
  {
    seconds: 2.75,
    elements: [
      ...corridor(r, { ...violet, light: "#bfeaff" }, { wall: "#6c7a94", speed: 1.4 }),
      going(1, { x: 240, y: 240, scale: 0.7 }, { x: 240, y: 262, scale: 1.3 }, ({ seconds }) =>
        robot("#c8543c", "#ffe08a", seconds),
      ),
    ],
  },
  {
    seconds: 2.5,
    elements: [
      ...corridor(r, { ...alarm, light: "#ff5c4c" }, { wall: "#8c3a44", speed: 3 }),
      closeUp(dax, { x: 250, y: 150, scale: 1.25, gaze: [0, 0] }, { speaks: true, wind: 1 }),
    ],
  },
  {
    seconds: 3,
    camera: { zoom: [1, 1.25] },
    elements: [
      ...deepSpace(r, { ...violet, high: "#03101f", low: "#0c2c4c", far: "#2c8ac8", middle: "#5ac8e0" }),
      comet(r),
    ],
  },
];
