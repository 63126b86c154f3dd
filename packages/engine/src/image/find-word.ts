import type { Box } from "../pixels/raster.ts";
import { uniteBoxes, widenBox } from "./boxes.ts";
import type { EdgeMaps } from "./edge-maps.ts";
import { findStillAreas } from "./still-areas.ts";

/** A pixel inside a letter changes by less than this. Compression smears its colours, which are often strong ones. */
const STILL = 12;
/**
 * The heights of letters, in fractions of the image; their pixels, in fractions of their boxes; and the largest
 * difference of their ends, in fractions of their height.
 */
const LETTER = { least: 0.1, most: 0.6, leastFill: 0.25, difference: 0.08 };
/** Letters of a word, its width in fractions of the image, and the outline around it in fractions of its height. */
const WORD = { leastLetters: 3, leastWidth: 0.4, outline: 0.08 };

/**
 * Finds a word in letters so large that they hide the frame: still areas that have the same top and bottom. The box is
 * in pixels of the maps.
 */
export function findWord(maps: EdgeMaps, within: Box): Box | undefined {
  const letters = findStillAreas(maps, within, STILL)
    .filter(({ box, pixels }) => {
      const share = box.height / within.height;
      const isFilled = pixels >= LETTER.leastFill * box.width * box.height;
      return isFilled && share >= LETTER.least && share <= LETTER.most;
    })
    .map(({ box }) => box);
  let word: Box[] = [];
  for (const { top, height } of letters) {
    const reach = Math.max(2, height * LETTER.difference);
    const line = letters.filter(
      (other) =>
        Math.abs(other.top - top) <= reach && Math.abs(other.top + other.height - top - height) <= reach,
    );
    if (line.length > word.length) word = line;
  }
  if (word.length < WORD.leastLetters) return undefined;
  const box = uniteBoxes(word);
  if (box.width < WORD.leastWidth * within.width) return undefined;
  return widenBox(box, Math.ceil(WORD.outline * box.height), within);
}
