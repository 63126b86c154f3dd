import { drawOver, stroke } from "../drawing/svg.ts";
import { crop, resize, resizeToWidth, surround } from "../raster/geometry.ts";
import { addGrain } from "../raster/noise.ts";
import { createRaster, encodeJpeg, type Raster } from "../raster/raster.ts";
import { throughJpeg } from "../raster/recompress.ts";
import { blur, changeTone, mapColours } from "../raster/tone.ts";
import { turnedCorners, warpOnto } from "../raster/warp.ts";
import type { EditContext, Transformation } from "./transformation.ts";

const cropPercents = [10, 15, 20, 30, 40, 50, 60, 70, 80] as const;
const jpegQualities = [75, 50, 30, 20, 15, 10, 8, 5, 3] as const;

/**
 * The transformations of Copydays (Douze et al., Evaluation of GIST descriptors for web-scale image search,
 * CIVR 2009), re-implemented. The nine sizes of crops and nine JPEG qualities are those of the published
 * evaluation code (`sscd/datasets/copydays.py` of facebookresearch/sscd-copy-detection, `eval_copy_detection.py`
 * of facebookresearch/dino); the data set has 157 originals and 229 strong images. The text of the paper could
 * not be checked: that crops are in the middle and their number is the share of the area cropped away, that
 * images are reduced to a sixteenth of their pixels before JPEG compression, and the kinds of strong attacks,
 * which the authors made by hand (here print and scan, paint, blur, contrast, perspective; one or two each).
 */
export const copydaysTransformations: Transformation[] = [
  ...cropPercents.map(
    (percent): Transformation => ({
      name: `copydays-crop-${percent}`,
      title: `Copydays: ${percent} % of the area cropped away`,
      edit(frame) {
        const side = Math.sqrt(1 - percent / 100);
        const [width, height] = [frame.width * side, frame.height * side];
        const [x, y] = [(frame.width - width) / 2, (frame.height - height) / 2];
        return encodeJpeg(crop(frame, { x, y, width, height }), 90);
      },
    }),
  ),
  ...jpegQualities.map(
    (quality): Transformation => ({
      name: `copydays-jpeg-${quality}`,
      title: `Copydays: a sixteenth of the pixels, JPEG quality ${quality}`,
      edit: async (frame) => encodeJpeg(await resizeToWidth(frame, frame.width / 4), quality),
    }),
  ),
  {
    name: "copydays-strong",
    title: "Copydays: strong attacks",
    async edit(frame, context) {
      const { random } = context;
      const attacks = random.shuffle([printAndScan, paint, soften, distort, exaggerate]);
      let image = frame;
      for (const attack of attacks.slice(0, random.whole(1, 2))) image = await attack(image, context);
      return encodeJpeg(image, random.whole(40, 80));
    },
  },
];

type Attack = (image: Raster, context: EditContext) => Promise<Raster> | Raster;

/** Paper with a margin, slightly turned, with less contrast, a halftone screen, grain and softness. */
const printAndScan: Attack = async (image, { random }) => {
  const printed = changeTone(await resizeToWidth(image, 800), {
    brightness: random.between(0.85, 1.1),
    contrast: random.between(0.6, 0.85),
    saturation: random.between(0.2, 0.9),
  });
  const pitch = random.between(1.2, 1.8);
  const screened = mapColours(printed, (red, green, blue, x, y) => {
    const dots = 12 * Math.sin((x + y) * pitch) * Math.sin((x - y) * pitch);
    return [red + dots, green + dots, blue + dots];
  });
  const margin = random.between(20, 90);
  const paper = surround(
    screened,
    { top: margin, bottom: margin * random.between(1, 2), left: margin, right: margin },
    [244, 242, 236],
  );
  const ground = createRaster(paper.width, paper.height, [225, 225, 225]);
  const angle = random.between(-3, 3);
  const scanned = warpOnto(ground, paper, turnedCorners([paper.width / 2, paper.height / 2], paper, angle));
  return addGrain(await blur(scanned, random.between(0.6, 1.4)), random.between(6, 18), random);
};

/** Thick strokes of paint over the image. */
const paint: Attack = (image, { random }) => {
  const point = () => `${image.width * random.next()} ${image.height * random.next()}`;
  const strokes = Array.from({ length: random.whole(2, 6) }, () =>
    stroke(
      `M${point()}C${point()} ${point()} ${point()}`,
      image.height * random.between(0.02, 0.08),
      `hsl(${random.whole(0, 359)},90%,${random.whole(20, 80)}%)`,
    ),
  );
  return drawOver(image, strokes.join(""));
};

const soften: Attack = async (image, { random }) =>
  throughJpeg(await blur(image, (image.width / 640) * random.between(2, 5)), random.whole(10, 30));

/** A perspective of moderate strength, and another aspect ratio. */
const distort: Attack = async (image, { random }) => {
  const shaped = await resize(image, image.width * random.between(0.7, 1.3), image.height);
  const { width, height } = shaped;
  const inset = (size: number) => size * random.between(0, 0.12);
  return warpOnto(
    createRaster(
      width,
      height,
      random.pick([
        [0, 0, 0],
        [255, 255, 255],
      ] as const),
    ),
    shaped,
    [
      [inset(width), inset(height)],
      [width - inset(width), inset(height)],
      [width - inset(width), height - inset(height)],
      [inset(width), height - inset(height)],
    ],
  );
};

const exaggerate: Attack = (image, { random }) =>
  changeTone(image, {
    brightness: random.pick([random.between(0.35, 0.6), random.between(1.5, 1.9)]),
    contrast: random.between(1.3, 2.2),
    saturation: random.pick([0, 2.2]),
  });
