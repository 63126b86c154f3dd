import { parentPort } from "node:worker_threads";
import { drawScene } from "./draw-scene.ts";
import type { DrawingTask } from "./drawn-frames.ts";

parentPort?.on("message", ({ from, to, width, height }: DrawingTask) => {
  const size = width * height * 3;
  const pixels = new Uint8Array((to - from) * size);
  for (let frame = from; frame < to; frame++)
    pixels.set(drawScene(`distractor ${frame}`, width, height).pixels, (frame - from) * size);
  parentPort?.postMessage(pixels, [pixels.buffer]);
});
