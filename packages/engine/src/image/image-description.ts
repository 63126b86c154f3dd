import type { GreyRaster } from "../pixels/grey-raster.ts";

/** Part of an image in fractions of its width and height, 0..1, from the top left corner. */
export type Region = { x: number; y: number; width: number; height: number };

/** The part of an image that is not compared: a region, or all outside of the ellipse inside it. */
export type Cover = Region & { isRound?: boolean };

/** A point in fractions of the width and height of an image. */
type SharePoint = readonly [x: number, y: number];

/** A region of an image with its descriptor (unit length). */
export type ImageView = {
  vector: Float32Array;
  region: Region | null;
  isMirrored: boolean;
  /**
   * Upper left, upper right, lower right and lower left corner of the region before mirroring, where it is no
   * upright box: the verification starts from them. Missing: the corners of `region`.
   */
  corners?: readonly [SharePoint, SharePoint, SharePoint, SharePoint];
  /** True when the colours of the region were inverted. */
  isInverted?: boolean;
  /** False where the view is not compared with regions of frames. */
  isPart?: boolean;
};

/** The input of the index for one image. */
export type ImageDescription = {
  modelId: string;
  /** Size of the displayed image, after orientation. */
  width: number;
  height: number;
  /** True for an image with hardly any content (black, one colour): its matches are never confident. */
  isFlat: boolean;
  views: ImageView[];
  /** What a box, a mosaic or a word hides, or the ground around a disc: the verification does not compare it. */
  cover?: Cover;
  /** The whole image, at most 192 pixels per side, for verification; null: matches are not verified. */
  grey: GreyRaster | null;
};
