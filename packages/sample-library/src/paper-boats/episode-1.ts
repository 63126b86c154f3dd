import { attach, closeUp, stand, walk } from "../actors/acting.ts";
import { birds, cat, paperBoat } from "../actors/props.ts";
import { cel, ellipse, fade, flat, rect } from "../drawing/drawing.ts";
import type { Random } from "../drawing/random.ts";
import { going, moving, type Shot, still } from "../drawing/shot.ts";
import { classroom } from "../scenery/indoors.ts";
import { sea, sky } from "../scenery/outdoors.ts";
import { river, street } from "../scenery/town.ts";
import { dusk, nami, noon, riku, school, sena, sunset } from "./cast.ts";

/** The shots of one episode, without the opening. */
export const episode1 = (r: Random): Shot[] => [
  {
    seconds: 3,
    camera: { x: [-90, 60] },
    elements: [
      ...sky(r, noon, { clouds: 5 }),
      ...sea(r, { ...noon, middle: "#3fb0c8" }, { horizon: 150, hasLighthouse: true, hasBeach: true }),
      birds(r, 6, "#ffffff", { x: 200, y: 80 }, 30),
    ],
  },
  {
    seconds: 2.5,
    camera: { x: [-14, 14] },
    elements: [
      ...classroom(r, school, { board: "#3c6a54" }),
      stand(riku, { x: 330, y: 232, scale: 1.2 }, 0.9),
      stand(sena, { x: 110, y: 236, scale: 1.15 }, 0.9),
    ],
  },
  {
    seconds: 2.5,
    camera: { zoom: [1.12, 1] },
    elements: [
      ...classroom(r, { ...school, low: "#ece4f0" }, { board: "#4a5a7c", windowsRight: true }),
      closeUp(nami, { x: 165, y: 140, scale: 1.35, gaze: [0.9, -0.2] }, { speaks: true }),
    ],
  },
  {
    seconds: 2.75,
    elements: [
      ...sky(r, { ...noon, high: "#5fb8e8" }, { clouds: 4 }),
      ...river(r, { ...noon, far: "#8cc878", middle: "#58b0d0", near: "#68a050" }, { bridge: "#d8c8b0" }),
      going(0.9, { x: 90, y: 226, scale: 0.8 }, { x: 300, y: 216 }, () => paperBoat("#fff4d0")),
    ],
  },
  {
    seconds: 2.5,
    elements: [
      still(0, fade("bg", "#4fb0d8", "#2a7ab0")),
      moving(0.4, ({ seconds }) =>
        Array.from({ length: 16 }, (_, i) =>
          ellipse(((i * 67 + seconds * 20) % 560) - 30, 30 + ((i * 53) % 230), 36, 2, flat("#bfeaff", 0.55)),
        ).join(""),
      ),
      attach(1, { x: 240, y: 170, scale: 2.6 }, () => paperBoat("#ffd8dc"), { bob: 8, rock: 8 }),
    ],
  },
  {
    seconds: 2.75,
    camera: { x: [40, -40] },
    elements: [
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
    elements: [
      still(0, fade("bg", "#ff9a6a", "#ffd88a")),
      closeUp(riku, { x: 320, y: 138, scale: 1.5, gaze: [-0.9, 0] }, { speaks: true, wind: 0.8 }),
    ],
  },
  {
    seconds: 2.75,
    camera: { zoom: [1, 1.15] },
    elements: [
      ...sky(r, dusk, { stars: 30 }),
      ...street(r, { ...dusk, far: "#4a5488", middle: "#5a5080" }, { roof: "#3a6a8c" }),
      walk(nami, { x: 340, y: 250, scale: 1 }, { x: 210, y: 250 }),
      attach(1.1, { x: 90, y: 250, scale: 0.7 }, (s) => cat(s, "#f0f0f4")),
    ],
  },
];
