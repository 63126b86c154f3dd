import { attach, closeUp, walk } from "../actors/acting.ts";
import { birds, paperBoat, weather } from "../actors/props.ts";
import { fade, flat, rect } from "../drawing/drawing.ts";
import type { Random } from "../drawing/random.ts";
import { type Shot, still } from "../drawing/shot.ts";
import { sea, sky } from "../scenery/outdoors.ts";
import { nami, noon, riku, sena } from "./cast.ts";
import { stripes } from "./effects.ts";

/** The opening of every episode, five seconds long. */
export const opening = (r: Random): Shot[] => [
  {
    seconds: 1.75,
    camera: { x: [-30, 40] },
    elements: [
      ...sky(r, noon, { sun: [400, 50, 26], clouds: 7 }),
      ...sea(r, noon, { horizon: 120 }),
      attach(0.9, { x: 240, y: 190, scale: 1.7 }, () => paperBoat(), { bob: 7, rock: 9 }),
    ],
  },
  {
    seconds: 1.6,
    elements: [
      still(0, fade("bg", "#fef2c8", "#f7b8c8") + stripes("#ffffff")),
      closeUp(nami, { x: 110, y: 160, scale: 1, gaze: [0, 0.6] }, { wind: 0.9 }),
      closeUp(riku, { x: 245, y: 150, scale: 1.05 }, { wind: 0.9 }),
      closeUp(sena, { x: 380, y: 160, scale: 1, gaze: [0, -0.6] }, { wind: 0.9 }),
    ],
  },
  {
    seconds: 1.65,
    elements: [
      still(0, fade("bg", "#7fd0ea", "#eafaff")),
      birds(r, 9, "#3a5a8c", { x: 90, y: 60 }, 70),
      walk(nami, { x: 60, y: 246, scale: 1.2 }, { x: 220, y: 246 }, { pace: 2 }),
      walk(riku, { x: 160, y: 250, scale: 1.3 }, { x: 320, y: 250 }, { pace: 1.9 }),
      walk(sena, { x: 250, y: 246, scale: 1.2 }, { x: 410, y: 246 }, { pace: 2.1 }),
      still(0.9, rect(-100, 240, 700, 60, flat("#f6d88a"))),
      weather(r, "petals", 22, "#ffffff"),
    ],
  },
];
