/** Part of a picture in shares of its width and height, 0..1, from the top left corner. */
export type Region = { x: number; y: number; width: number; height: number };

/** One way to look at a picture: its descriptor (unit length) and what was looked at. */
export type PictureView = { vector: Float32Array; region: Region | null; isMirrored: boolean };

/** All that the index needs to know of a picture. */
export type PictureDescription = {
  modelId: string;
  /** Size as shown, after orientation. */
  width: number;
  height: number;
  /** True when there is hardly anything to see (black, one colour): its matches are never confident. */
  isFlat: boolean;
  views: PictureView[];
};
