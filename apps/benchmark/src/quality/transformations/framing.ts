import { drawPage } from "../drawing/svg.ts";
import {
  crop,
  cropAnywhere,
  cropToShape,
  lay,
  mirror,
  resize,
  resizeToWidth,
  surround,
} from "../raster/geometry.ts";
import { encodeJpeg, type Raster } from "../raster/raster.ts";
import { blur, changeTone } from "../raster/tone.ts";
import type { Transformation } from "./transformation.ts";

/** Cropped, stretched, mirrored, or placed in a larger frame. */
export const framingTransformations: Transformation[] = [
  {
    name: "black-bars",
    edit(frame, { random }) {
      const isUpright = random.chance(0.5);
      const bar = Math.round((isUpright ? frame.width : frame.height) * random.between(0.08, 0.2));
      const sides = isUpright ? { left: bar, right: bar } : { top: bar, bottom: bar };
      return encodeJpeg(surround(frame, sides), 80);
    },
  },
  {
    name: "edges-cropped",
    edit(frame, { random }) {
      const size = { width: frame.width * 0.9, height: frame.height * 0.9 };
      return encodeJpeg(cropAnywhere(frame, size, random, [0.3, 0.7]), 85);
    },
  },
  {
    name: "stretched",
    edit: async (frame, { random }) =>
      encodeJpeg(
        await resize(frame, frame.width * random.pick([0.6, 0.7, 0.75, 1.2, 1.33]), frame.height),
        85,
      ),
  },
  {
    name: "mirrored",
    edit: async (frame) => encodeJpeg(await mirror(frame), 85),
  },
  {
    name: "half-cropped",
    edit(frame, { random }) {
      const [across, down] = random.pick([
        [0.5, 1],
        [0.5, 1],
        [0.5, 1],
        [1, 0.5],
        [0.71, 0.71],
      ] as const);
      const size = { width: frame.width * across, height: frame.height * down };
      return encodeJpeg(cropAnywhere(frame, size, random), 85);
    },
  },
  {
    name: "square-crop",
    edit(frame, { random }) {
      const side = Math.min(frame.width, frame.height);
      const x = (frame.width - side) * random.between(0.1, 0.9);
      return encodeJpeg(crop(frame, { x, y: 0, width: side, height: side }), 85);
    },
  },
  {
    name: "wide-crop",
    edit: (frame, { random }) => encodeJpeg(cropToShape(frame, random.between(2.3, 2.6)), 85),
  },
  {
    name: "zoomed",
    async edit(frame, { random }) {
      const size = { width: frame.width / 1.5, height: frame.height / 1.5 };
      const part = cropAnywhere(frame, size, random, [0.15, 0.85]);
      return encodeJpeg(await resizeToWidth(part, frame.width), 80);
    },
  },
  {
    name: "rounded-frame",
    async edit(frame, { random }) {
      const margin = Math.round(frame.width * random.between(0.04, 0.1));
      const hue = random.whole(0, 359);
      const ground = await drawPage(
        frame.width + margin * 2,
        frame.height + margin * 2,
        `hsl(${hue},${random.whole(15, 80)}%,${random.whole(20, 92)}%)`,
        "",
      );
      return encodeJpeg(lay(ground, frame, margin, margin, frame.width * random.between(0.02, 0.06)), 88);
    },
  },
  {
    name: "vertical-fill",
    async edit(frame, { random }) {
      const [width, height] = [720, 1280];
      const fill = await resize(cropToShape(frame, width / height), width / 8, height / 8);
      const soft = await resize(await blur(fill, 4), width, height, "cubic");
      const ground = changeTone(soft, { brightness: random.between(0.5, 0.9), contrast: 0.9, saturation: 1 });
      const image = await resizeToWidth(frame, width);
      return encodeJpeg(lay(ground, image, 0, (height - image.height) * random.between(0.4, 0.6)), 80);
    },
  },
  {
    name: "sideways-phone",
    async edit(frame, { random }) {
      const [width, height] = [720, 1560];
      const scale = Math.min(width / frame.height, (height * 0.94) / frame.width);
      const image = await resize(frame, frame.width * scale, frame.height * scale);
      const turned = turnQuarter(image, random.chance(0.5));
      const ground = await drawPage(width, height, random.pick(["#000000", "#0b0b0d", "#121212"]), "");
      return encodeJpeg(
        lay(ground, turned, (width - turned.width) / 2, (height - turned.height) * random.between(0.3, 0.7)),
        85,
      );
    },
  },
];

/** Turns by a quarter, clockwise or counterclockwise. */
export function turnQuarter(raster: Raster, isClockwise: boolean): Raster {
  const { width, height, pixels } = raster;
  const turned = { width: height, height: width, pixels: new Uint8Array(pixels.length) };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [u, v] = isClockwise ? [height - 1 - y, x] : [y, width - 1 - x];
      const [from, to] = [(y * width + x) * 3, (v * height + u) * 3];
      for (let k = 0; k < 3; k++) turned.pixels[to + k] = pixels[from + k] ?? 0;
    }
  }
  return turned;
}
