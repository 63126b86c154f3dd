import type { Random } from "@koma/testing/drawing";
import { drawOver } from "../quality/drawing/svg.ts";
import type { DrawText } from "../quality/drawing/text.ts";
import { sentence } from "../quality/drawing/words.ts";
import { crop, resizeToWidth } from "../quality/raster/geometry.ts";
import { encodeJpeg, type Raster } from "../quality/raster/raster.ts";
import { changeTone, mapColours } from "../quality/raster/tone.ts";

/** One usual edit of a screenshot. */
export type TimeEdit = {
  name: string;
  edit: (frame: Raster, o: { random: Random; text: DrawText }) => Promise<Buffer>;
};

/** The edits of the benchmark of times, in the order of the report. */
export const timeEdits: readonly TimeEdit[] = [
  {
    name: "clean",
    edit: (frame, { random }) => encodeJpeg(frame, random.whole(85, 95)),
  },
  {
    name: "low resolution",
    async edit(frame, { random }) {
      const small = await resizeToWidth(frame, random.whole(200, 280));
      return encodeJpeg(small, random.whole(70, 85));
    },
  },
  {
    name: "subtitles",
    async edit(frame, { random, text }) {
      const { width, height } = frame;
      const size = height * random.between(0.055, 0.075);
      const lines = Array.from({ length: random.whole(1, 2) }, (_, at) =>
        text(sentence(random, random.whole(4, 7)), {
          x: width / 2,
          y: height * 0.94 - at * size * 1.2,
          size,
          fill: random.chance(0.3) ? "#ffe84a" : "#ffffff",
          anchor: "middle",
          isBold: true,
          outline: { colour: "#101010", width: size * 0.14 },
        }),
      );
      return encodeJpeg(await drawOver(frame, lines.join("")), 85);
    },
  },
  {
    name: "cropped edges",
    edit(frame, { random }) {
      const { width, height } = frame;
      const side = () => random.between(0.03, 0.14);
      const [left, top, right, bottom] = [side(), side(), 1 - side(), 1 - side()];
      const box = {
        x: left * width,
        y: top * height,
        width: (right - left) * width,
        height: (bottom - top) * height,
      };
      return encodeJpeg(crop(frame, box), 88);
    },
  },
  {
    name: "tone",
    edit(frame, { random }) {
      const toned = changeTone(frame, {
        brightness: random.between(0.75, 1.3),
        contrast: random.between(0.7, 1.35),
        saturation: random.between(0.4, 1.6),
      });
      const gamma = random.between(0.75, 1.35);
      const tint = [random.between(0.9, 1.1), 1, random.between(0.9, 1.1)] as const;
      const curve = (value: number) => 255 * (Math.max(0, Math.min(255, value)) / 255) ** gamma;
      const tinted = mapColours(toned, (red, green, blue) => [
        curve(red) * tint[0],
        curve(green) * tint[1],
        curve(blue) * tint[2],
      ]);
      return encodeJpeg(tinted, 85);
    },
  },
];
