import { createRandom, type Random } from "@koma/testing/drawing";
import { drawScene } from "../distractors/draw-scene.ts";
import { box, disc, drawPage, stroke } from "../drawing/svg.ts";
import type { DrawText } from "../drawing/text.ts";
import { handle, japaneseLine, sentence } from "../drawing/words.ts";
import { cropAnywhere, resize, resizeToWidth } from "../raster/geometry.ts";
import { addGrain } from "../raster/noise.ts";
import { createRaster, decodeRaster, encodeJpeg, type Raster } from "../raster/raster.ts";
import { blur, mapColours } from "../raster/tone.ts";
import type { Transformation } from "../transformations/transformation.ts";
import type { PickedFrame } from "./pick-frames.ts";
import type { Question } from "./question.ts";

type AbsentOptions = {
  seed: string;
  text: DrawText;
  /** Frames of videos that are never indexed; may be empty. */
  others: readonly PickedFrame[];
  /** Edits of scenes. */
  transformations: readonly Transformation[];
};

/**
 * Plans `count` images that are in no video of the library: edited frames of other videos, edited drawn scenes,
 * pages of text, user interfaces, and images with the statistics of photos.
 */
export function planAbsentImages(count: number, options: AbsentOptions): Question[] {
  const kinds = Object.keys(drawings).filter((kind) => kind !== "other video" || options.others.length > 0);
  return Array.from({ length: count }, (_, at): Question => {
    const kind = kinds[at % kinds.length] ?? "";
    const index = Math.floor(at / kinds.length);
    const seed = `${options.seed}/absent/${kind}/${index}`;
    return {
      transformation: `absent: ${kind}`,
      index,
      truths: [],
      make: async () => {
        const random = createRandom(seed);
        const draw = drawings[kind] ?? drawDrawnScene;
        return draw(random, { ...options, seed }, index);
      },
    };
  });
}

type Drawing = (random: Random, options: AbsentOptions, index: number) => Promise<Buffer>;

const drawings: Record<string, Drawing> = {
  "other video": drawOtherVideo,
  "drawn scene": drawDrawnScene,
  "text page": async (random, { text }) => shared(await drawTextPage(random, text), random),
  "user interface": async (random, { text }) => shared(await drawInterface(random, text), random),
  photo: async (random) => shared(await drawPhoto(random), random),
};

async function drawOtherVideo(random: Random, options: AbsentOptions, index: number): Promise<Buffer> {
  const { others } = options;
  const [frame, other] = [others[index % others.length], others[(index + 1) % others.length]];
  if (frame === undefined || other === undefined) throw new Error("There is no frame of another video.");
  return edited(await decodeRaster(frame.still), await decodeRaster(other.still), random, options);
}

function drawDrawnScene(random: Random, options: AbsentOptions): Promise<Buffer> {
  const draw = (name: string) => drawScene(`${options.seed} ${name}`, 854, 480);
  return edited(draw("scene"), draw("other"), random, options);
}

function edited(frame: Raster, other: Raster, random: Random, o: AbsentOptions): Promise<Buffer> {
  const [first, ...rest] = o.transformations;
  if (first === undefined) return encodeJpeg(frame, 85);
  const { edit } = random.pick([first, ...rest]);
  const unrelated = (name: string, width: number, height: number) =>
    drawScene(`${o.seed}/${name}`, width, height);
  return edit(frame, { random, text: o.text, other, unrelated });
}

/** Crops, scales and compresses, as a screenshot that is sent. */
async function shared(image: Raster, random: Random): Promise<Buffer> {
  let result = image;
  if (random.chance(0.4)) {
    const width = image.width * random.between(0.4, 1);
    result = cropAnywhere(image, { width, height: image.height * random.between(0.4, 1) }, random);
  }
  if (random.chance(0.5)) result = await resizeToWidth(result, random.whole(320, 900));
  return encodeJpeg(result, random.whole(35, 92));
}

/** A document, a chat without images, source code, or a title with few words. */
function drawTextPage(random: Random, text: DrawText): Promise<Raster> {
  const [width, height] = random.pick<readonly [number, number]>([
    [960, 540],
    [720, 1280],
    [800, 1000],
    [1280, 720],
  ]);
  const isDark = random.chance(0.5);
  const ground = isDark
    ? random.pick(["#0a0a0a", "#1e1e1e", "#0d1117", "#282c34"])
    : random.pick(["#ffffff", "#fbfbfb", "#f4ecd8"]);
  const inks = isDark
    ? (["#f2f2f2", "#9cdcfe", "#ce9178", "#c586c0"] as const)
    : (["#161616", "#222222", "#333366", "#225522"] as const);
  const size = random.between(12, 44);
  const [margin, isCode, isCentred] = [random.between(20, 120), random.chance(0.3), random.chance(0.15)];
  const lines: string[] = [];
  let y = margin;
  while (y < height - size) {
    const words = random.whole(2, Math.max(3, Math.floor((width - margin) / size / 2.5)));
    const indent = isCode ? random.whole(0, 3) * size * 1.5 : 0;
    const line = random.chance(0.2) ? japaneseLine(random) : sentence(random, words);
    const fill = isCode ? random.pick(inks) : inks[0];
    const isBold = random.chance(0.1);
    if (isCentred) lines.push(text(line, { x: width / 2, y, size, fill, anchor: "middle", isBold }));
    else lines.push(text(line, { x: margin + indent, y, size, fill, isBold }));
    y += size * (random.chance(0.15) ? 2.6 : 1.4);
  }
  return drawPage(width, height, ground, lines.join(""));
}

/** A window or a phone with bars, lists, cards, buttons and charts. */
function drawInterface(random: Random, text: DrawText): Promise<Raster> {
  const [width, height] = random.pick<readonly [number, number]>([
    [1280, 720],
    [720, 1440],
    [1024, 768],
  ]);
  const isDark = random.chance(0.5);
  const [ground, panel, ink] = isDark
    ? (["#121212", "#242424", "#eeeeee"] as const)
    : (["#f3f4f6", "#ffffff", "#1f2937"] as const);
  const accent = `hsl(${random.whole(0, 359)},70%,50%)`;
  const bar = random.whole(40, 90);
  const side = random.chance(0.5) ? random.whole(120, 280) : 0;
  const parts = [
    box(0, 0, width, bar, random.chance(0.5) ? accent : panel),
    box(0, bar, side, height, panel),
  ];
  parts.push(text(handle(random), { x: 20, y: bar * 0.65, size: bar * 0.4, fill: ink, isBold: true }));
  for (let at = 0; side > 0 && at < 9; at++) {
    const y = bar + 40 + at * 52;
    parts.push(disc(28, y - 8, 12, accent), text(sentence(random, 2), { x: 52, y, size: 18, fill: ink }));
  }
  const columns = random.whole(1, 4);
  const cell = (width - side - 20) / columns;
  for (let y = bar + 20; y < height; ) {
    const tall = random.whole(60, 260);
    for (let column = 0; column < columns; column++) {
      const x = side + 20 + column * cell;
      parts.push(
        box(x, y, cell - 20, tall, panel, 10),
        drawCard(random, text, { x, y, width: cell - 20, height: tall }, ink),
      );
    }
    y += tall + 20;
  }
  return drawPage(width, height, ground, parts.join(""));
}

type Card = { x: number; y: number; width: number; height: number };

function drawCard(random: Random, text: DrawText, { x, y, width, height }: Card, ink: string): string {
  const colour = () => `hsl(${random.whole(0, 359)},60%,${random.whole(30, 70)}%)`;
  const title = text(sentence(random, 3), { x: x + 14, y: y + 28, size: 20, fill: ink, isBold: true });
  if (height < 90) return title;
  switch (random.whole(0, 3)) {
    case 0: {
      const bars = random.whole(4, 12);
      const step = (width - 28) / bars;
      return (
        title +
        Array.from({ length: bars }, (_, at) => {
          const tall = (height - 60) * random.next();
          return box(x + 14 + at * step, y + height - 14 - tall, step * 0.7, tall, colour());
        }).join("")
      );
    }
    case 1: {
      const points = Array.from(
        { length: 12 },
        (_, at) => `${x + 14 + (at * (width - 28)) / 11} ${y + 50 + (height - 70) * random.next()}`,
      );
      return title + stroke(`M${points.join("L")}`, 4, colour());
    }
    case 2:
      return (
        title +
        box(x + 14, y + 44, width - 28, height - 58, colour(), 8) +
        disc(x + width / 2, y + height / 2 + 15, height / 6, colour())
      );
    default:
      return (
        title +
        Array.from({ length: Math.floor((height - 50) / 30) }, (_, at) =>
          text(sentence(random, 6), { x: x + 14, y: y + 60 + at * 30, size: 16, fill: ink }),
        ).join("")
      );
  }
}

/**
 * Noise with the spectrum of photos (amplitude inverse to the frequency; Field, 1987), coloured, with uneven
 * light, soft and sharp objects, and grain.
 */
async function drawPhoto(random: Random): Promise<Raster> {
  const [width, height] = [800, random.pick([450, 600, 800])];
  const light = new Float64Array(width * height);
  for (let octave = 0; octave < 7; octave++) {
    const [columns, rows] = [3 * 2 ** octave, Math.ceil((3 * 2 ** octave * height) / width)];
    const layer = createRaster(columns, rows);
    for (let at = 0; at < layer.pixels.length; at += 3) layer.pixels[at] = random.whole(0, 255);
    const large = await resize(layer, width, height, "cubic");
    for (let at = 0; at < light.length; at++)
      light[at] = (light[at] ?? 0) + ((large.pixels[at * 3] ?? 0) - 128) * 0.55 ** octave;
  }
  const objects = Array.from({ length: random.whole(0, 8) }, () => ({
    x: width * random.next(),
    y: height * random.next(),
    radius: width * random.between(0.03, 0.25),
    shift: random.between(-90, 90),
    stretch: random.between(0.4, 2.5),
  }));
  const [hue, level] = [
    [random.between(0.6, 1.4), random.between(0.7, 1.2), random.between(0.5, 1.4)] as const,
    random.between(70, 170),
  ];
  const tilt = random.between(-60, 60);
  const scene = mapColours(createRaster(width, height), (_red, _green, _blue, x, y) => {
    let value = level + (light[y * width + x] ?? 0) * 0.7 + (tilt * x) / width;
    for (const object of objects)
      if (Math.hypot(x - object.x, (y - object.y) * object.stretch) < object.radius) value += object.shift;
    return [value * hue[0], value * hue[1], value * hue[2]];
  });
  return addGrain(await blur(scene, random.between(0.3, 2)), random.between(2, 20), random);
}
