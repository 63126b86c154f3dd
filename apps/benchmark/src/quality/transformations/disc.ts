import { drawEmoji } from "../drawing/emoji.ts";
import { box, drawFaintly, drawOver } from "../drawing/svg.ts";
import { sentence } from "../drawing/words.ts";
import { cropAnywhere, flip, lay, mirror, resize, resizeToWidth, surround } from "../raster/geometry.ts";
import { addGrain } from "../raster/noise.ts";
import { createRaster, encodeJpeg, type Raster } from "../raster/raster.ts";
import { throughJpeg } from "../raster/recompress.ts";
import { applyMatrix, blur, changeTone, mapColours, sharpen } from "../raster/tone.ts";
import { rotate, warpOnto } from "../raster/warp.ts";
import { drawChat } from "./chat-page.ts";
import type { EditContext, Transformation } from "./transformation.ts";
import { captioned } from "./writing.ts";

type Edit = (image: Raster, context: EditContext) => Promise<Raster> | Raster;

/**
 * The automatic transformations of DISC21 (Douze et al., The 2021 Image Similarity Dataset and Challenge,
 * arXiv:2106.09672), re-implemented by kind. The kinds are those of AugLy, which produced the data set
 * (README and `augly/image/__init__.py` of facebookresearch/AugLy), without opacity, skew and masks, and with
 * exchanged colour channels in addition. The paper's text could not be checked, so the strengths, the numbers
 * of edits per image and the frequencies are not those of the data set. Its manual and adversarial edits are
 * not included.
 */
export const discTransformations: Transformation[] = [
  composed("disc-pixels", "DISC21: colours, noise, blur, blocks, quality", () => pixelEdits, [1, 3]),
  composed("disc-geometry", "DISC21: crop, pad, rotation, flip, perspective", () => geometricEdits, [1, 2]),
  composed("disc-overlay", "DISC21: text, emoji, images and stripes over it", () => overlayEdits, [1, 2]),
  composed("disc-background", "DISC21: over another image or a screenshot", () => backgroundEdits, [1, 1]),
  composed(
    "disc-mixed",
    "DISC21: two to four edits of all kinds",
    () => [...pixelEdits, ...geometricEdits, ...overlayEdits, ...backgroundEdits],
    [2, 4],
  ),
];

function composed(
  name: string,
  title: string,
  editsOf: () => readonly Edit[],
  [least, most]: readonly [number, number],
): Transformation {
  return {
    name,
    title,
    async edit(frame, context) {
      const { random } = context;
      let image = frame.width > 960 ? await resizeToWidth(frame, 960) : frame;
      for (const edit of random.shuffle(editsOf()).slice(0, random.whole(least, most)))
        image = await edit(image, context);
      return encodeJpeg(image, random.whole(60, 95));
    },
  };
}

const grey = [
  [0.299, 0.587, 0.114],
  [0.299, 0.587, 0.114],
  [0.299, 0.587, 0.114],
] as const;

const pixelEdits: readonly Edit[] = [
  (image, { random }) => blur(image, random.between(1, 5)),
  (image, { random }) => addGrain(image, random.between(20, 70), random),
  (image, { random }) => throughJpeg(image, random.whole(4, 20)),
  (image, { random }) => sharpen(image, random.between(1, 3), random.between(2, 6)),
  (image) => applyMatrix(image, grey),
  (image, { random }) =>
    changeTone(image, {
      brightness: random.pick([random.between(0.4, 0.8), random.between(1.2, 1.7)]),
      contrast: random.between(0.5, 1.7),
      saturation: random.between(0, 2.5),
    }),
  // Pixelization.
  async (image, { random }) => {
    const share = random.between(0.1, 0.3);
    const small = await resize(image, image.width * share, image.height * share);
    return resize(small, image.width, image.height, "nearest");
  },
  // Shuffled pixels: a share of them gets the colour of a pixel elsewhere.
  (image, { random }) => {
    const share = random.between(0.05, 0.25);
    const { pixels, width, height } = image;
    return mapColours(image, (red, green, blue) => {
      if (random.next() >= share) return [red, green, blue];
      const at = Math.floor(random.next() * width * height) * 3;
      return [pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0];
    });
  },
  // Exchanged colour channels.
  (image) => mapColours(image, (red, green, blue) => [blue, red, green]),
];

const geometricEdits: readonly Edit[] = [
  (image, { random }) => {
    const width = image.width * random.between(0.5, 0.9);
    return cropAnywhere(image, { width, height: image.height * random.between(0.5, 0.9) }, random);
  },
  (image, { random }) => {
    const [across, down] = [image.width * random.between(0, 0.3), image.height * random.between(0, 0.3)];
    const colour = [random.whole(0, 255), random.whole(0, 255), random.whole(0, 255)] as const;
    return surround(image, { top: down, bottom: down, left: across, right: across }, colour);
  },
  (image, { random }) => rotate(image, random.sign() * random.between(3, 45)),
  (image) => mirror(image),
  (image) => flip(image),
  async (image) => rotate(image, 180),
  (image, { random }) => resize(image, image.width * random.between(0.6, 1.6), image.height),
  (image, { random }) => resizeToWidth(image, image.width * random.between(0.25, 0.6)),
  (image, { random }) => {
    const { width, height } = image;
    const inset = (size: number) => size * random.between(0, 0.15);
    return warpOnto(createRaster(width, height), image, [
      [inset(width), inset(height)],
      [width - inset(width), inset(height)],
      [width - inset(width), height - inset(height)],
      [inset(width), height - inset(height)],
    ]);
  },
];

const overlayEdits: readonly Edit[] = [
  (image, { random }) => {
    const size = image.height * random.between(0.2, 0.5);
    return drawOver(
      image,
      drawEmoji(
        random,
        image.width * random.between(0.2, 0.8),
        image.height * random.between(0.2, 0.8),
        size,
      ),
    );
  },
  (image, { random, text }) => {
    const size = image.height * random.between(0.06, 0.16);
    const lines = Array.from({ length: random.whole(1, 4) }, (_, line) =>
      text(sentence(random, 4), {
        x: image.width * 0.05,
        y: size * (line + 1.2) * 1.2 + image.height * 0.1,
        size,
        fill: `hsl(${random.whole(0, 359)},90%,${random.whole(10, 95)}%)`,
        isBold: true,
      }),
    );
    return drawOver(image, lines.join(""));
  },
  (image, { random, unrelated }) => {
    const width = image.width * random.between(0.25, 0.5);
    const inset = unrelated("overlay", Math.round(width), Math.round(width * 0.7));
    return lay(image, inset, (image.width - width) * random.next(), image.height * random.between(0, 0.6));
  },
  (image, { random }) => {
    const count = random.whole(3, 10);
    const width = (image.width / count) * random.between(0.15, 0.4);
    const fill = `hsl(${random.whole(0, 359)},80%,50%)`;
    const stripes = Array.from({ length: count }, (_, at) =>
      box((image.width * at) / count, -image.height, width, image.height * 3, fill),
    );
    const turn = `rotate(${random.whole(-45, 45)} ${image.width / 2} ${image.height / 2})`;
    return drawFaintly(image, `<g transform="${turn}">${stripes.join("")}</g>`, random.between(0.4, 1));
  },
  (image, { random, text }) => captioned(image, random, text),
];

const backgroundEdits: readonly Edit[] = [
  async (image, { random, unrelated }) => {
    const ground = unrelated("background", 960, 640);
    const inset = await resizeToWidth(image, 960 * random.between(0.35, 0.75));
    return lay(
      ground,
      inset,
      (960 - inset.width) * random.next(),
      Math.max(0, 640 - inset.height) * random.next(),
    );
  },
  (image, context) => drawChat(image, context),
];
