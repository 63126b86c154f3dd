import type { Random } from "@koma/sample-library/drawing";
import type { DrawText } from "../drawing/text.ts";
import type { Raster } from "../raster/raster.ts";

/** What an edit may use beside the frame. */
export type EditContext = {
  random: Random;
  text: DrawText;
  /** A frame of another film of the same standing (indexed or not), for pictures that show two scenes. */
  other: Raster;
  /** Drawn scenes of no film, for what stands around: thumbnails, avatars, other people's pictures. */
  unrelated: (name: string, width: number, height: number) => Raster;
};

/** One thing that people do to a screenshot before they ask where it is from. */
export type Transformation = {
  /** Short and stable: part of the seed. */
  name: string;
  title: string;
  /** Hardly changed; must be found always. */
  isClean?: true;
  /** The picture shows `other` as well: finding that one is right too. */
  showsOther?: true;
  /** A JPEG or PNG file. */
  edit: (frame: Raster, context: EditContext) => Promise<Buffer>;
};
