import type { Random } from "@koma/testing/drawing";
import { drawPage } from "../drawing/svg.ts";
import { crop, cropAnywhere, mirror, resizeToWidth, surround } from "../raster/geometry.ts";
import { addGrain } from "../raster/noise.ts";
import { encodeJpeg, type Raster } from "../raster/raster.ts";
import { blur, changeTone, mapColours } from "../raster/tone.ts";
import { type Quad, rotate, turnedCorners, warpOnto } from "../raster/warp.ts";
import type { Transformation } from "./transformation.ts";
import { captioned } from "./writing.ts";

/** Photos of screens, turned images, and several edits at once. */
export const cameraTransformations: Transformation[] = [
  {
    name: "screen-photo",
    async edit(frame, { random }) {
      const [width, height] = [1280, 960];
      const scale = (width * random.between(0.8, 0.95)) / frame.width;
      const size = { width: frame.width * scale, height: frame.height * scale };
      const middle = [width * random.between(0.47, 0.53), height * random.between(0.46, 0.54)] as const;
      const corners = shaken(turnedCorners(middle, size, random.between(-4, 4)), size.width * 0.05, random);
      const screen = surround(lcd(frame, random), even(frame.width * 0.02), [18, 18, 20]);
      const room = await drawPage(width, height, wall(random), "");
      const photo = warpOnto(room, screen, corners);
      return encodeJpeg(await photographed(photo, random), 75);
    },
  },
  {
    name: "far-screen",
    async edit(frame, { random, unrelated }) {
      const [width, height] = [1280, 960];
      const room = await blur(unrelated("room", width, height), 5);
      const dark = changeTone(room, { brightness: random.between(0.3, 0.8), contrast: 0.7, saturation: 0.6 });
      const scale = (width * random.between(0.38, 0.55)) / frame.width;
      const size = { width: frame.width * scale, height: frame.height * scale };
      const middle = [width * random.between(0.4, 0.6), height * random.between(0.38, 0.55)] as const;
      const corners = shaken(turnedCorners(middle, size, random.between(-3, 3)), size.width * 0.05, random);
      const set = surround(frame, even(frame.width * random.between(0.02, 0.04)), [12, 12, 14]);
      return encodeJpeg(await photographed(warpOnto(dark, set, corners), random), 75);
    },
  },
  {
    name: "rotated",
    async edit(frame, { random }) {
      const angle = random.sign() * random.between(4, 10);
      const turned = rotate(frame, angle, random.chance(0.6) ? [0, 0, 0] : [255, 255, 255]);
      // Half of the images have their empty corners cropped, which costs edges of the scene instead.
      if (random.chance(0.5)) return encodeJpeg(turned, 85);
      const inner = innerSize(frame, angle);
      const [x, y] = [(turned.width - inner.width) / 2, (turned.height - inner.height) / 2];
      return encodeJpeg(crop(turned, { x, y, ...inner }), 85);
    },
  },
  {
    name: "compound",
    async edit(frame, { random, text }) {
      const width = frame.width * random.between(0.72, 0.88);
      const size = { width, height: frame.height * random.between(0.72, 0.88) };
      const part = cropAnywhere(await mirror(frame), size, random);
      const toned = changeTone(part, {
        brightness: random.chance(0.5) ? random.between(0.6, 0.85) : random.between(1.15, 1.35),
        contrast: random.between(0.7, 1.4),
        saturation: random.between(0.3, 1.7),
      });
      const page = await captioned(toned, random, text);
      return encodeJpeg(await resizeToWidth(page, random.whole(360, 560)), random.whole(35, 55));
    },
  },
];

/**
 * Moves corners randomly, by up to `reach` in each direction, like a camera that is not parallel to the
 * screen.
 */
function shaken(corners: Quad, reach: number, random: Random): Quad {
  const move = ([x, y]: readonly [number, number]) =>
    [x + random.between(-reach, reach), y + random.between(-reach, reach)] as const;
  return [move(corners[0]), move(corners[1]), move(corners[2]), move(corners[3])];
}

/**
 * Adds the interference of a screen's pixel grid with a camera's: two fine waves whose beat forms the bands
 * of moire.
 */
function lcd(frame: Raster, random: Random): Raster {
  const [a, b] = [random.between(1.9, 2.6), random.between(0.04, 0.12)];
  const [tilt, strength] = [random.between(-0.4, 0.4), random.between(0.05, 0.13)];
  return mapColours(frame, (red, green, blue, x, y) => {
    const along = x + y * tilt;
    const wave = Math.sin(along * a) * 0.5 + Math.sin(along * b + y * b * 0.7) * Math.sin(y * a) * 0.7;
    const shift = strength * wave;
    return [red * (1 + shift), green * (1 - shift * 0.6), blue * (1 + shift * 0.8)];
  });
}

/** Adds the effects of a phone camera: glare, uneven light, a colour cast, softness and grain. */
async function photographed(scene: Raster, random: Random): Promise<Raster> {
  const { width, height } = scene;
  const [glareX, glareY] = [width * random.next(), height * random.next()];
  const [reach, glare] = [width * random.between(0.12, 0.3), random.between(20, 110)];
  const cast = [random.between(0.92, 1.08), 1, random.between(0.9, 1.12)] as const;
  const fall = random.between(-0.2, 0.2);
  const lift = random.between(0, 18);
  const lit = mapColours(scene, (red, green, blue, x, y) => {
    const spot = glare * Math.exp(-((x - glareX) ** 2 + (y - glareY) ** 2) / (reach * reach));
    const light = 1 + (fall * (x - width / 2)) / width;
    return [
      red * light * cast[0] + spot + lift,
      green * light * cast[1] + spot + lift,
      blue * light * cast[2] + spot + lift,
    ];
  });
  return addGrain(await blur(lit, random.between(0.6, 1.4)), random.between(6, 16), random);
}

/** Returns the largest upright rectangle of the frame's aspect ratio inside the turned frame. */
function innerSize(frame: Raster, angleDegrees: number): { width: number; height: number } {
  const radians = (Math.abs(angleDegrees) * Math.PI) / 180;
  const [sin, cos] = [Math.sin(radians), Math.cos(radians)];
  const scale = Math.min(
    frame.width / (frame.width * cos + frame.height * sin),
    frame.height / (frame.width * sin + frame.height * cos),
  );
  return { width: frame.width * scale, height: frame.height * scale };
}

function wall(random: Random): string {
  return `hsl(${random.whole(0, 359)},${random.whole(2, 25)}%,${random.whole(5, 60)}%)`;
}

function even(margin: number) {
  return { top: margin, bottom: margin, left: margin, right: margin };
}
