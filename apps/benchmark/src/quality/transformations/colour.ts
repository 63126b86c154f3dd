import { encodeJpeg } from "../raster/raster.ts";
import { applyMatrix, type ColourMatrix, changeTone, mapColours } from "../raster/tone.ts";
import type { Transformation } from "./transformation.ts";

const grey: ColourMatrix = [
  [0.299, 0.587, 0.114],
  [0.299, 0.587, 0.114],
  [0.299, 0.587, 0.114],
];
const sepia: ColourMatrix = [
  [0.393, 0.769, 0.189],
  [0.349, 0.686, 0.168],
  [0.272, 0.534, 0.131],
];
// Vision without red, green or blue cones (the matrices of Coblis, which simulators of phones and browsers
// use).
const blindness: [ColourMatrix, ...ColourMatrix[]] = [
  [
    [0.567, 0.433, 0],
    [0.558, 0.442, 0],
    [0, 0.242, 0.758],
  ],
  [
    [0.625, 0.375, 0],
    [0.7, 0.3, 0],
    [0, 0.3, 0.7],
  ],
  [
    [0.95, 0.05, 0],
    [0, 0.433, 0.567],
    [0, 0.475, 0.525],
  ],
];

/** Changes of colours and light of the whole image. */
export const colourTransformations: Transformation[] = [
  {
    name: "tone",
    edit: (frame, { random }) =>
      encodeJpeg(
        changeTone(frame, {
          brightness: random.chance(0.5) ? random.between(0.5, 0.8) : random.between(1.2, 1.5),
          contrast: random.chance(0.5) ? random.between(0.55, 0.8) : random.between(1.2, 1.6),
          saturation: random.chance(0.5) ? random.between(0.2, 0.7) : random.between(1.4, 2),
        }),
        85,
      ),
  },
  {
    name: "night-filter",
    edit(frame, { random }) {
      const [dim, green, blue] = [
        random.between(0.75, 1),
        random.between(0.68, 0.82),
        random.between(0.3, 0.52),
      ];
      return encodeJpeg(
        mapColours(frame, (r, g, b) => [r * dim, g * dim * green, b * dim * blue]),
        85,
      );
    },
  },
  { name: "grayscale", edit: (frame) => encodeJpeg(applyMatrix(frame, grey), 85) },
  {
    name: "colour-filter",
    edit: (frame, { random }) =>
      encodeJpeg(applyMatrix(frame, random.chance(0.5) ? sepia : random.pick(blindness)), 85),
  },
  {
    name: "vignette",
    edit(frame, { random }) {
      const strength = random.between(0.6, 0.95);
      const [middleX, middleY] = [frame.width / 2, frame.height / 2];
      return encodeJpeg(
        mapColours(frame, (red, green, blue, x, y) => {
          const distance = Math.hypot((x - middleX) / middleX, (y - middleY) / middleY) / Math.SQRT2;
          const light = 1 - strength * distance ** 2.2;
          return [red * light, green * light, blue * light];
        }),
        85,
      );
    },
  },
];
