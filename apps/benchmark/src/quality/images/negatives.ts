import { createRandom, type Random } from "@koma/testing/drawing";
import { drawScene } from "../distractors/draw-scene.ts";
import { drawPage } from "../drawing/svg.ts";
import type { DrawText } from "../drawing/text.ts";
import { sentence } from "../drawing/words.ts";
import { addGrain } from "../raster/noise.ts";
import { createRaster, encodeJpeg, encodePng, type Raster } from "../raster/raster.ts";
import type { Question } from "./question.ts";

type Negative = { name: string; draw: (random: Random, text: DrawText) => Promise<Raster> };

/** Images that are in no video; a confident result for one is false. */
const negatives: readonly Negative[] = [
  { name: "drawn scene", draw: async (random) => drawScene(`stranger ${random.next()}`, 960, 540) },
  {
    name: "black",
    draw: async (random) => addGrain(createRaster(640, 360), random.pick([0, 0, 4, 10]), random),
  },
  {
    name: "one colour",
    draw: async (random) =>
      createRaster(640, 360, [random.whole(0, 255), random.whole(0, 255), random.whole(0, 255)]),
  },
  {
    name: "gradient",
    draw: (random) =>
      drawPage(
        640,
        360,
        "#000000",
        `<defs><linearGradient id="g" x1="0" y1="0" x2="${random.whole(0, 1)}" y2="1"><stop offset="0" stop-color="hsl(${random.whole(0, 359)},60%,${random.whole(10, 90)}%)"/><stop offset="1" stop-color="hsl(${random.whole(0, 359)},60%,${random.whole(10, 90)}%)"/></linearGradient></defs><rect width="640" height="360" fill="url(#g)"/>`,
      ),
  },
  { name: "text only", draw: drawWriting },
];

/** Plans `count` images of each kind. */
export function planNegatives(count: number, o: { seed: string; text: DrawText }): Question[] {
  return negatives.flatMap(({ name, draw }) =>
    Array.from({ length: count }, (_, index): Question => {
      return {
        transformation: name,
        index,
        truths: [],
        make: async () => {
          const random = createRandom(`${o.seed}/stranger/${name}/${index}`);
          const raster = await draw(random, o.text);
          return random.chance(0.5) ? encodePng(raster) : encodeJpeg(raster, 85);
        },
      };
    }),
  );
}

function drawWriting(random: Random, text: DrawText): Promise<Raster> {
  const isDark = random.chance(0.5);
  const size = random.between(18, 44);
  const isTitle = random.chance(0.4);
  const lines = Array.from(
    { length: isTitle ? random.whole(1, 3) : Math.floor(480 / (size * 1.5)) },
    (_, i) =>
      text(sentence(random, isTitle ? 3 : 9), {
        x: isTitle ? 480 : 40,
        y: (isTitle ? 230 : 50) + i * size * 1.5,
        size,
        fill: isDark ? "#f2f2f2" : "#161616",
        anchor: isTitle ? "middle" : "start",
        isBold: isTitle,
      }),
  );
  return drawPage(960, 540, isDark ? "#0a0a0a" : "#fbfbfb", lines.join(""));
}
