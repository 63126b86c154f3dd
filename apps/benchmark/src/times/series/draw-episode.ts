import { access, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { sharp } from "@koma/image";
import { encodeVideo, image } from "@koma/testing/drawing";
import { framesPerSecond, writeEpisode } from "./script.ts";
import type { Take } from "./take.ts";

const [width, height] = [640, 360];
const density = (72 * width) / image.width;
const drawnAtOnce = 4;

/** Draws an episode into a video file; a file that exists is kept. */
export async function drawEpisode(
  tools: { ffmpegPath: string },
  outputFile: string,
  o: { series: string; number: number; seconds: number },
): Promise<void> {
  const exists = await access(outputFile).then(
    () => true,
    () => false,
  );
  if (exists) return;
  await mkdir(dirname(outputFile), { recursive: true });
  await encodeVideo(tools, {
    width,
    height,
    framesPerSecond,
    frames: drawTakes(writeEpisode(o)),
    outputFile,
  });
}

/** Yields packed RGB. Neighbouring frames of one drawing are drawn once. */
async function* drawTakes(takes: readonly Take[]): AsyncGenerator<Uint8Array, void, void> {
  const drawings = takes.flatMap((take) =>
    Array.from({ length: take.frames }, (_, frame) => ({ take, frame })),
  );
  const pending: Promise<Uint8Array>[] = [];
  let last: { svg: string; pixels: Promise<Uint8Array> } | undefined;
  for (const { take, frame } of drawings) {
    const svg = take.draw(frame);
    if (last?.svg !== svg) last = { svg, pixels: rasterise(svg) };
    pending.push(last.pixels);
    if (pending.length >= drawnAtOnce) yield await takeFirst(pending);
  }
  while (pending.length > 0) yield await takeFirst(pending);
}

async function takeFirst(pending: Promise<Uint8Array>[]): Promise<Uint8Array> {
  const pixels = await pending.shift();
  if (pixels === undefined) throw new RangeError("There is no frame.");
  return pixels;
}

function rasterise(svg: string): Promise<Uint8Array> {
  const drawn = sharp(Buffer.from(svg), { density })
    .resize(width, height, { fit: "fill" })
    .removeAlpha()
    .raw()
    .toBuffer();
  // The caller may stop before it awaits this frame.
  drawn.catch(() => {});
  return drawn;
}
