import {
  classroom,
  corridor,
  createRandom,
  meadow,
  type Random,
  river,
  room,
  type ShotElement,
  sky,
  skyline,
  street,
} from "@koma/testing/drawing";
import { paletteOf } from "./cast.ts";

/** A painted background; it is the same in every scene and episode of a series. */
export type Background = { elements: ShotElement[] };

const painters: ((random: Random) => ShotElement[])[] = [
  (random) => classroom(random, paletteOf(random), { board: "#3c6a54", windowsRight: random.chance(0.5) }),
  (random) => room(random, paletteOf(random), { wall: "#c98b62", isRound: random.chance(0.5) }),
  (random) => {
    const palette = paletteOf(random);
    return [...sky(random, palette), ...street(random, palette, { roof: "#7a3f4a" })];
  },
  (random) => {
    const palette = paletteOf(random);
    return [...sky(random, palette, { clouds: 4 }), ...river(random, palette, { bridge: "#8a4a3c" })];
  },
  (random) => corridor(paletteOf(random), { wall: "#9cb4a8" }),
  (random) => {
    const palette = paletteOf(random);
    return [...sky(random, palette), ...skyline(random, palette)];
  },
  (random) => {
    const palette = paletteOf(random);
    return [...sky(random, palette, { clouds: 3 }), ...meadow(random, palette)];
  },
];

/** Paints the backgrounds of a series. */
export function backgroundsOf(seed: string, count: number): Background[] {
  return Array.from({ length: count }, (_, at) => {
    const random = createRandom(`${seed}/place ${at}`);
    const paint = painters[at % painters.length];
    return { elements: paint === undefined ? [] : paint(random).map(hold) };
  });
}

/** A painted background does not move, whatever the element does by itself. */
function hold(element: ShotElement): ShotElement {
  const layers = element({ seconds: 0, share: 0 });
  return () => layers;
}
