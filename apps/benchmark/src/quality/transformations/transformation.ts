import type { Random } from "@koma/testing/drawing";
import type { DrawText } from "../drawing/text.ts";
import type { Raster } from "../raster/raster.ts";

/** Inputs of an edit besides the frame. */
export type EditContext = {
  random: Random;
  text: DrawText;
  /** A frame of another video of the same kind (indexed or not), for images that show two scenes. */
  other: Raster;
  /** Drawn scenes of no video, for surrounding content: thumbnails, avatars, images of other users. */
  unrelated: (name: string, width: number, height: number) => Raster;
};

/** One edit of a screenshot before it is searched. */
export type Transformation = {
  /** Short and stable: part of the seed. */
  name: string;
  /** The image shows `other` as well, which is also a correct result. */
  showsOther?: true;
  /** A JPEG or PNG file. */
  edit: (frame: Raster, context: EditContext) => Promise<Buffer>;
};
