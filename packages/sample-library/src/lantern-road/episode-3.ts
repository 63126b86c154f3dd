import { closeUp, walk } from "../actors/acting.ts";
import { fox } from "../actors/props.ts";
import { fade } from "../drawing/drawing.ts";
import type { Random } from "../drawing/random.ts";
import { going, type Shot, still } from "../drawing/shot.ts";
import { meadow, mountains, sky } from "../scenery/outdoors.ts";
import { river, street } from "../scenery/town.ts";
import { dusk, granny, mika, morning, night, oto } from "./cast.ts";
import { floating, lights, rays } from "./effects.ts";

/** The shots of one episode, without the opening. */
export const episode3 = (r: Random): Shot[] => [
  {
    seconds: 3,
    camera: { x: [-80, 80] },
    elements: [
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
    elements: [
      ...sky(r, { ...morning, high: "#4fa3d1", low: "#d6f0f2" }, { clouds: 3 }),
      ...meadow(
        r,
        { ...morning, far: "#7fc4a0", middle: "#58a679", near: "#3c8560" },
        { flowers: "#ffd84d" },
      ),
      closeUp(mika, { x: 150, y: 120, scale: 1.3, gaze: [0.2, 0.8] }, { wind: 1.2, speaks: true }),
    ],
  },
  {
    seconds: 2.75,
    camera: { x: [50, -50] },
    elements: [
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
    elements: [
      still(0, fade("bg", "#ff9d76", "#6c3f7a")),
      ...rays("#ffd0a8"),
      closeUp(oto, { x: 240, y: 150, scale: 1.7, gaze: [0, 0] }, { wind: 0.9 }),
    ],
  },
  {
    seconds: 3,
    elements: [
      ...sky(r, { ...night, low: "#2f5a6c" }, { stars: 50, sun: [90, 54, 24] }),
      ...river(r, { ...night, middle: "#1f4a5e" }, { bridge: "#6c5a7a" }),
      ...floating(r, 14),
    ],
  },
  {
    seconds: 2.75,
    camera: { zoom: [1, 1.2] },
    elements: [
      still(0, fade("bg", "#182a44", "#2f6a72")),
      ...floating(r, 6),
      closeUp(granny, { x: 330, y: 140, scale: 1.3, gaze: [-1, -0.6] }),
      closeUp(mika, { x: 150, y: 156, scale: 1.1, gaze: [0.7, 0.7] }, { speaks: true }),
    ],
  },
  {
    seconds: 2.5,
    camera: { y: [20, -40] },
    elements: [
      ...sky(r, { ...night, high: "#1a0f3c", low: "#6e3a6a" }, { stars: 70 }),
      ...lights(r, 26),
      ...mountains(r, { ...night, far: "#3a2458", middle: "#2a1a44", near: "#1c1230" }, { height: 70 }),
    ],
  },
  {
    seconds: 2.75,
    elements: [
      ...sky(r, { ...morning, high: "#f7a072", low: "#ffe8c8" }, { sun: [240, 176, 40] }),
      ...meadow(r, { ...morning, far: "#c98a5c", middle: "#8c6a4c", near: "#4c4a3c" }, { hasFence: true }),
      walk(mika, { x: 170, y: 224, scale: 0.7 }, { x: 225, y: 214, scale: 0.45 }),
      walk(oto, { x: 210, y: 226, scale: 0.74 }, { x: 250, y: 214, scale: 0.48 }),
      going(1, { x: 130, y: 228, scale: 0.8 }, { x: 205, y: 216, scale: 0.5 }, ({ seconds }) => fox(seconds)),
    ],
  },
];
