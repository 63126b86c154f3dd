/** Part of a picture in shares of its width and height, 0..1, from the top left corner. */
export type Region = { x: number; y: number; width: number; height: number };

/** A point in shares of a picture's width and height. */
type SharePoint = readonly [x: number, y: number];

/** One way to look at a picture: its descriptor (unit length) and what was looked at. */
export type ImageView = {
  vector: Float32Array;
  region: Region | null;
  isMirrored: boolean;
  /**
   * Upper left, upper right, lower right and lower left corner of what was looked at (before mirroring), where that is no upright box:
   * verification starts from them. Missing: the corners of `region`.
   */
  corners?: readonly [SharePoint, SharePoint, SharePoint, SharePoint];
  /** True when the colours of what was looked at were inverted. */
  isInverted?: boolean;
  /** False where the view is not compared with regions of frames. */
  isPart?: boolean;
};

/** Brightness 0..255 of a picture, row by row. */
export type GreyRaster = { values: Float32Array; width: number; height: number };

/** All that the index needs to know of a picture. */
export type ImageDescription = {
  modelId: string;
  /** Size as shown, after orientation. */
  width: number;
  height: number;
  /** True when there is hardly anything to see (black, one colour): its matches are never confident. */
  isFlat: boolean;
  views: ImageView[];
  /** The whole picture, at most 192 pixels long, for verification; null: matches are not verified. */
  grey: GreyRaster | null;
};
