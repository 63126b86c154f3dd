import { resize, resizeToWidth } from "../raster/geometry.ts";
import { encodeJpeg, encodePng } from "../raster/raster.ts";
import { throughGif, throughJpeg } from "../raster/recompress.ts";
import { blur, changeTone, mapColours, sharpen } from "../raster/tone.ts";
import type { Transformation } from "./transformation.ts";

/** Files that are saved, sent and saved again. */
export const compressionTransformations: Transformation[] = [
  {
    name: "clean-jpeg",
    edit: (frame, { random }) => encodeJpeg(frame, random.whole(85, 95)),
  },
  { name: "png", edit: (frame) => encodePng(frame) },
  {
    name: "small-low-quality",
    edit: async (frame, { random }) =>
      encodeJpeg(await resizeToWidth(frame, random.whole(220, 320)), random.whole(25, 40)),
  },
  {
    name: "recompressed",
    async edit(frame, { random }) {
      let image = frame;
      for (let i = 0; i < 2; i++) {
        const width = Math.max(320, image.width * random.between(0.7, 0.95));
        image = await throughJpeg(await resizeToWidth(image, width), random.whole(45, 65));
      }
      return encodeJpeg(image, random.whole(45, 65));
    },
  },
  {
    name: "heavy-jpeg",
    edit: async (frame, { random }) =>
      encodeJpeg(await throughJpeg(frame, random.whole(6, 10)), random.whole(10, 18)),
  },
  {
    name: "gif-palette",
    edit: async (frame, { random }) =>
      encodePng(
        await throughGif(await resizeToWidth(frame, random.whole(320, 480)), random.pick([16, 32, 64])),
      ),
  },
  {
    name: "blurred",
    edit: async (frame, { random }) =>
      encodeJpeg(await blur(frame, (frame.width / 100) * random.between(0.4, 1)), 80),
  },
  {
    name: "upscaled-sharpened",
    async edit(frame, { random }) {
      const small = await resizeToWidth(frame, random.whole(240, 400));
      const large = await resizeToWidth(small, random.whole(1000, 1400));
      const sharp = await sharpen(large, random.between(1.5, 3), random.between(2, 4));
      return encodeJpeg(changeTone(sharp, { brightness: 1.03, contrast: 1.1, saturation: 1.25 }), 85);
    },
  },
  {
    name: "low-bitrate",
    async edit(frame, { random }) {
      // Blocks of a codec's large transform, smoothed by its loop filter, with banding in flat parts.
      const small = await throughJpeg(
        await resizeToWidth(frame, random.whole(220, 320)),
        random.whole(12, 22),
      );
      const smooth = await blur(await resize(small, frame.width, frame.height, "cubic"), frame.width / 500);
      const step = random.pick([8, 12, 16]);
      const band = (value: number) => Math.round(value / step) * step;
      return encodeJpeg(
        mapColours(smooth, (red, green, blue) => [band(red), band(green), band(blue)]),
        60,
      );
    },
  },
];
