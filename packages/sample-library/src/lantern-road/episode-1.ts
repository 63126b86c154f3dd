import { attach, closeUp, stand, walk } from "../actors/acting.ts";
import { birds, fox, weather } from "../actors/props.ts";
import { fade, glow } from "../drawing/drawing.ts";
import type { Random } from "../drawing/random.ts";
import { going, moving, type Shot, still } from "../drawing/shot.ts";
import { room } from "../scenery/indoors.ts";
import { forest, mountains, sky } from "../scenery/outdoors.ts";
import { paperLantern, street } from "../scenery/town.ts";
import { dusk, fog, granny, mika, morning, night, oto } from "./cast.ts";

/** The shots of one episode, without the opening. */
export const episode1 = (r: Random): Shot[] => [
  {
    seconds: 3.25,
    camera: { x: [-110, 90] },
    elements: [
      ...sky(r, dusk, { sun: [360, 130, 26], clouds: 6 }),
      ...street(r, dusk, { roof: "#7a3f4a", isFromAfar: true }),
      birds(r, 7, "#2b2238", { x: 120, y: 70 }, 26),
    ],
  },
  {
    seconds: 3,
    camera: { x: [-30, 60] },
    elements: [
      ...sky(r, night, { stars: 60 }),
      ...street(r, night, { roof: "#8a4a3c", lanterns: true }),
      walk(mika, { x: 60, y: 250, scale: 1.1 }, { x: 330, y: 250 }),
    ],
  },
  {
    seconds: 2.5,
    camera: { zoom: [1, 1.12] },
    elements: [
      ...sky(r, night, { stars: 40 }),
      ...street(r, { ...night, light: "#ff9e5e" }, { roof: "#4a5a6c" }),
      closeUp(mika, { x: 300, y: 130, scale: 1.35, gaze: [-1, 0] }, { speaks: true }),
    ],
  },
  {
    seconds: 2.75,
    elements: [
      ...room(r, dusk, { wall: "#c98b62", isRound: true, shelfSide: "right" }),
      stand(granny, { x: 120, y: 262, scale: 1.45 }),
      stand(mika, { x: 220, y: 262, scale: 1.3, flip: true }),
    ],
  },
  {
    seconds: 2.5,
    elements: [
      still(0, fade("bg", "#6a3f2e", "#c98b52")),
      moving(0, () => glow("a", 240, 140, 220, "#ffe2a0", 0.7)),
      closeUp(granny, { x: 170, y: 128, scale: 1.4, gaze: [0.8, 0.2] }, { speaks: true }),
      attach(1.2, { x: 395, y: 150 }, () => paperLantern("l", 0, 0, "#ffcf70", 3), { rock: 6 }),
    ],
  },
  {
    seconds: 3.25,
    camera: { y: [60, -30] },
    elements: [
      ...sky(r, morning, { sun: [110, 80, 22], clouds: 5 }),
      ...mountains(r, morning, { hasSnow: true }),
      walk(mika, { x: 150, y: 246, scale: 0.7 }, { x: 330, y: 236, scale: 0.55 }),
      going(1, { x: 90, y: 250, scale: 0.9 }, { x: 270, y: 240, scale: 0.7 }, ({ seconds }) =>
        fox(seconds * 1.6),
      ),
    ],
  },
  {
    seconds: 2.5,
    camera: { x: [60, -60] },
    elements: [
      ...sky(r, fog),
      ...forest(r, fog, { trunks: 3 }),
      going(1, { x: 60, y: 250, scale: 1.6 }, { x: 360, y: 250 }, ({ seconds }) => fox(seconds * 1.8)),
      weather(r, "petals", 24, "#f4f0c0"),
    ],
  },
  {
    seconds: 2.75,
    elements: [
      ...sky(r, { ...fog, high: "#8fa8c0", low: "#f0e6da" }, { sun: [300, 70, 24] }),
      ...forest(r, { ...fog, far: "#7c9aa8" }, { trunks: 2, isFir: true }),
      closeUp(oto, { x: 150, y: 140, scale: 1.3, gaze: [0, 1] }, { wind: 0.5 }),
      attach(1, { x: 360, y: 262, scale: 1.5, flip: true }, () => fox(0)),
    ],
  },
];
