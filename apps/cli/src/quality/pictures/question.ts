import { drawScene } from "../distractors/draw-scene.ts";
import type { DrawText } from "../drawing/text.ts";
import type { Family } from "../families/family.ts";
import { createRandom } from "../random.ts";
import { decodeRaster } from "../raster/raster.ts";
import type { Truth } from "../scoring/answer.ts";
import type { PickedFrame } from "./pick-frames.ts";

/** A picture to search for. `make` gives the file, always the same. */
export type Question = {
  family: string;
  index: number;
  /** Places that are right once the films are in the library. */
  truths: Truth[];
  make: () => Promise<Buffer>;
};

/** `count` pictures of each family from a pool of frames, so that every family asks for frames all over the pool. */
export function planQuestions(
  families: readonly Family[],
  pool: readonly PickedFrame[],
  count: number,
  o: { seed: string; text: DrawText },
): Question[] {
  return families.flatMap((family) => {
    const order = createRandom(`${o.seed}/order/${family.name}`).shuffle(pool);
    return order.slice(0, count).map((frame, index): Question => {
      const other = otherFilm(order, index) ?? frame;
      const shown = family.showsOther ? [frame, other] : [frame];
      const seed = `${o.seed}/${family.name}/${index}`;
      return {
        family: family.name,
        index,
        truths: shown.map(({ film, atSeconds }) => ({ file: film.file, atSeconds })),
        make: async () =>
          family.edit(await decodeRaster(frame.still), {
            random: createRandom(seed),
            text: o.text,
            other: await decodeRaster(other.still),
            unrelated: (name, width, height) => drawScene(`${seed}/${name}`, width, height),
          }),
      };
    });
  });
}

/** The next frame in the order that is of another film. */
function otherFilm(order: readonly PickedFrame[], index: number): PickedFrame | undefined {
  const own = order[index]?.film;
  return [...order.slice(index + 1), ...order.slice(0, index)].find(({ film }) => film !== own);
}
