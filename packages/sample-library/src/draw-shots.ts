import { sharp } from "@koma/image";
import { image } from "./drawing/drawing.ts";
import { frameSvg, type Shot } from "./drawing/shot.ts";

/** Frames per second of the sample videos; the characters of drawn videos rarely move more often. */
export const framesPerSecond = 12;

/** Draws shots one after the other: packed RGB, `image.width * image.height * 3` bytes per frame. */
export async function* drawShots(shots: Shot[]): AsyncGenerator<Uint8Array, void, void> {
  const moments = shots.flatMap((shot) =>
    Array.from({ length: Math.round(shot.seconds * framesPerSecond) }, (_, i) => ({
      shot,
      seconds: i / framesPerSecond,
    })),
  );
  const drawing: Promise<Buffer>[] = [];
  for (let next = 0; next < moments.length || drawing.length > 0; ) {
    for (; drawing.length < drawnAtOnce && next < moments.length; next++) {
      const moment = moments[next];
      if (moment !== undefined) drawing.push(rasterise(frameSvg(moment.shot, moment.seconds)));
    }
    const frame = await drawing.shift();
    if (frame !== undefined) yield frame;
  }
}

const drawnAtOnce = 4;

function rasterise(svg: string): Promise<Buffer> {
  const drawn = sharp(Buffer.from(svg), { limitInputPixels: image.width * image.height })
    .removeAlpha()
    .raw()
    .toBuffer();
  // The caller may stop before it awaits this frame.
  drawn.catch(() => {});
  return drawn;
}
