import { closeUp, walk } from "../actors/acting.ts";
import { fox, weather } from "../actors/props.ts";
import { fade, glow } from "../drawing/drawing.ts";
import type { Random } from "../drawing/random.ts";
import { going, moving, type Shot, still } from "../drawing/shot.ts";
import { mountains, sky } from "../scenery/outdoors.ts";
import { paperLantern } from "../scenery/town.ts";
import { dusk, mika, oto } from "./cast.ts";
import { lights, rays } from "./effects.ts";

/** The opening of every episode, five seconds long. */
export const opening = (r: Random): Shot[] => [
  {
    seconds: 1.75,
    camera: { y: [-70, 10] },
    elements: [
      ...sky(r, dusk, { sun: [240, 150, 44], clouds: 5 }),
      ...mountains(r, dusk, { height: 120 }),
      ...lights(r, 9),
    ],
  },
  {
    seconds: 1.6,
    camera: { zoom: [1.25, 1] },
    elements: [
      still(0, fade("bg", "#f2b950", "#d9603f")),
      ...rays("#ffe0a0"),
      closeUp(mika, { x: 170, y: 140, scale: 1.25, gaze: [-1, 0.6] }, { wind: 1 }),
      closeUp(oto, { x: 345, y: 150, scale: 1.15, gaze: [1, -0.4] }, { wind: 0.8 }),
    ],
  },
  {
    seconds: 1.65,
    elements: [
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
];
