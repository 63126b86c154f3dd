import { createRandom } from "@koma/testing/drawing";
import { drawScene } from "../../quality/distractors/draw-scene.ts";
import { createDrawText, findScripts } from "../../quality/drawing/text.ts";
import { decodeRaster, encodeJpeg } from "../../quality/raster/raster.ts";
import { transformations } from "../../quality/transformations/transformation-list.ts";

const EDITS = ["compound", "half-cropped", "screen-photo", "dark-chat", "rotated", "picture-in-picture"];

/** The images of a group by its name: unchanged frames, heavily edited ones, and drawn scenes of no video. */
export async function editImages(clean: readonly Buffer[], seed: string): Promise<Map<string, Buffer[]>> {
  const text = createDrawText(await findScripts());
  const edits = transformations.filter(({ name }) => EDITS.includes(name));
  const edited: Buffer[] = [];
  const absent: Buffer[] = [];
  for (const [number, image] of clean.entries()) {
    const own = `${seed}/search cost/${number}`;
    const frame = await decodeRaster(image);
    const other = await decodeRaster(clean[(number + 1) % clean.length] ?? image);
    const unrelated = (name: string, width: number, height: number) =>
      drawScene(`${own}/${name}`, width, height);
    const edit = edits[number % edits.length];
    if (edit !== undefined)
      edited.push(await edit.edit(frame, { random: createRandom(own), text, other, unrelated }));
    absent.push(await encodeJpeg(drawScene(`${own}/absent`, 960, 540), 85));
  }
  return new Map([
    ["clean", [...clean]],
    ["edited", edited],
    ["absent", absent],
  ]);
}
