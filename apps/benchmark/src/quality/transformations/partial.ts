import { crop, cropAnywhere, mirror, resizeToWidth } from "../raster/geometry.ts";
import { encodeJpeg, type Raster } from "../raster/raster.ts";
import { throughJpeg } from "../raster/recompress.ts";
import { changeTone, mapColours } from "../raster/tone.ts";
import { rotate } from "../raster/warp.ts";
import { drawChat } from "./chat-page.ts";
import { turnQuarter } from "./framing.ts";
import type { EditContext, Transformation } from "./transformation.ts";
import { captioned } from "./writing.ts";

/** Parts of a frame, rotations, inverted colours, covered frames and several edits at once. */
export const partialTransformations: Transformation[] = [
  {
    name: "fifth-area",
    edit: (frame, context) => jpegOf(cropArea(frame, 0.2, context), context),
  },
  {
    name: "third-area",
    edit: (frame, context) => jpegOf(cropArea(frame, 1 / 3, context), context),
  },
  {
    name: "half-width",
    edit(frame, context) {
      const width = frame.width / 2;
      const x = width * context.random.next();
      return jpegOf(crop(frame, { x, y: 0, width, height: frame.height }), context);
    },
  },
  {
    name: "rotated-far",
    edit(frame, context) {
      const { random } = context;
      const angle = random.sign() * random.between(18, 40);
      return jpegOf(rotate(frame, angle, random.chance(0.5) ? [0, 0, 0] : [255, 255, 255]), context);
    },
  },
  {
    name: "rotated-quarter",
    edit(frame, context) {
      const turns = context.random.whole(1, 3);
      let turned = frame;
      for (let turn = 0; turn < turns; turn++) turned = turnQuarter(turned, true);
      return jpegOf(turned, context);
    },
  },
  {
    name: "inverted",
    edit: (frame, context) =>
      jpegOf(
        mapColours(frame, (red, green, blue) => [255 - red, 255 - green, 255 - blue]),
        context,
      ),
  },
  {
    name: "third-covered",
    edit: (frame, context) => jpegOf(coverThird(frame, context), context),
  },
  {
    name: "mirrored-mix",
    async edit(frame, { random, text }) {
      const share = random.between(0.75, 0.9);
      const size = { width: frame.width * share, height: frame.height * share };
      const toned = changeTone(cropAnywhere(await mirror(frame), size, random), {
        brightness: random.between(0.65, 1.35),
        contrast: random.between(0.7, 1.35),
        saturation: random.between(0.3, 1.8),
      });
      const page = await captioned(toned, random, text);
      const small = await resizeToWidth(page, random.whole(400, 640));
      return encodeJpeg(await throughJpeg(small, random.whole(40, 70)), random.whole(40, 70));
    },
  },
  {
    name: "chat-repost",
    async edit(frame, context) {
      const { random } = context;
      const page = await drawChat(await throughJpeg(frame, random.whole(40, 60)), context);
      const small = await resizeToWidth(page, random.whole(480, 640));
      return encodeJpeg(await throughJpeg(small, random.whole(45, 65)), random.whole(45, 65));
    },
  },
];

function jpegOf(raster: Raster, { random }: EditContext): Promise<Buffer> {
  return encodeJpeg(raster, random.whole(70, 92));
}

/** Cuts a fraction of the area out, at a random position, with 0.67 to 1.5 times the frame's aspect ratio. */
function cropArea(frame: Raster, area: number, { random }: EditContext): Raster {
  const shape = Math.exp(random.between(Math.log(0.67), Math.log(1.5)));
  const width = frame.width * Math.min(1, Math.sqrt(area * shape));
  const height = frame.height * Math.min(1, Math.sqrt(area / shape));
  return cropAnywhere(frame, { width, height }, random);
}

/** Covers a third of the area by a box of one colour or by a mosaic of large blocks. */
function coverThird(frame: Raster, { random }: EditContext): Raster {
  const shape = Math.exp(random.between(Math.log(0.67), Math.log(1.5)));
  const width = Math.round(frame.width * Math.sqrt(shape / 3));
  const height = Math.round(frame.height * Math.sqrt(1 / 3 / shape));
  const left = Math.round((frame.width - width) * random.next());
  const top = Math.round((frame.height - height) * random.next());
  const isMosaic = random.chance(0.5);
  const block = Math.round(frame.width / random.whole(10, 18));
  const level = random.pick([0, 0, 255, 128]);
  const source = frame.pixels;
  return mapColours(frame, (red, green, blue, x, y) => {
    if (x < left || y < top || x >= left + width || y >= top + height) return [red, green, blue];
    if (!isMosaic) return [level, level, level];
    const at = (Math.floor(y / block) * block * frame.width + Math.floor(x / block) * block) * 3;
    return [source[at] ?? 0, source[at + 1] ?? 0, source[at + 2] ?? 0];
  });
}
