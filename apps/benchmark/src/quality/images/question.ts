import { createRandom } from "@koma/testing/drawing";
import { drawScene } from "../distractors/draw-scene.ts";
import type { DrawText } from "../drawing/text.ts";
import { decodeRaster } from "../raster/raster.ts";
import type { Truth } from "../scoring/question-result.ts";
import type { Transformation } from "../transformations/transformation.ts";
import type { PickedFrame } from "./pick-frames.ts";

/** An image to search. `make` returns the same file each time. */
export type Question = {
  transformation: string;
  index: number;
  /** Correct locations after the videos were indexed. */
  truths: Truth[];
  make: () => Promise<Buffer>;
};

/**
 * Plans `count` images of each transformation from a pool of frames, so that every transformation uses the
 * whole pool.
 */
export function planQuestions(
  transformations: readonly Transformation[],
  pool: readonly PickedFrame[],
  count: number,
  o: { seed: string; text: DrawText },
): Question[] {
  return transformations.flatMap((transformation) => {
    const order = createRandom(`${o.seed}/order/${transformation.name}`).shuffle(pool);
    return order.slice(0, count).map((frame, index): Question => {
      const other = otherVideo(order, index) ?? frame;
      const shown = transformation.showsOther ? [frame, other] : [frame];
      const seed = `${o.seed}/${transformation.name}/${index}`;
      return {
        transformation: transformation.name,
        index,
        truths: shown.map(({ video, atSeconds }) => ({ file: video.file, atSeconds })),
        make: async () =>
          transformation.edit(await decodeRaster(frame.still), {
            random: createRandom(seed),
            text: o.text,
            other: await decodeRaster(other.still),
            unrelated: (name, width, height) => drawScene(`${seed}/${name}`, width, height),
          }),
      };
    });
  });
}

/** Returns the next frame in the order from another video. */
function otherVideo(order: readonly PickedFrame[], index: number): PickedFrame | undefined {
  const own = order[index]?.video;
  return [...order.slice(index + 1), ...order.slice(0, index)].find(({ video }) => video !== own);
}
