// Addresses in the memory of the verification. Each thread has a memory of its own. It has no other
// allocation, so that views of JavaScript on the memory stay valid.

/** Size of a thumbnail, and of its half at which alignments are found. */
export const FINE_WIDTH: u32 = 40;
export const FINE_HEIGHT: u32 = 24;
export const COARSE_WIDTH: u32 = 20;
export const COARSE_HEIGHT: u32 = 12;
/** Largest patch. */
export const MOST_WIDTH: u32 = 40;
export const MOST_HEIGHT: u32 = 48;

/** A patch: floats row by row, and 1 for each value that is compared, 0 for others. */
export const PATCHES: u32 = 0;
export const PATCH_BYTES: u32 = 16384;
export const VALID_AT: u32 = 8192;
export const PATCH_COUNT: u32 = 4;

/** A projection as nine doubles. */
export const PROJECTION: u32 = 65536;
/** Results of a function as doubles. */
export const RESULTS: u32 = 65664;
/** Normal equations of a step: a vector of 8 and a matrix of 64 doubles. */
export const STEP_VECTOR: u32 = 66048;
export const STEP_MATRIX: u32 = 66112;

/** Levels of the pyramid: address, width and height of each. */
export const LEVELS: u32 = 66688;
export const LEVEL_BYTES: u32 = 12;
export const MOST_LEVELS: u32 = 16;

/** Prefix sums of the squares of the frame and of the view at half the size, doubles. */
export const FRAME_POWER: u32 = 67072;
export const VIEW_POWER: u32 = 69632;

/** The view with zeros on both sides of its rows. */
export const PADDED: u32 = 86016;
export const PADDED_STRIDE: u32 = 80;
export const PADDING: u32 = 20;

/** Rows of the normalisation, with zeros around the patch: values, their squares and the valid ones. */
export const PLANES: u32 = 102400;
export const PLANE_STRIDE: u32 = 56;
export const PLANE_LEFT: u32 = 8;
export const PLANE_ROWS: u32 = 56;
export const PLANE_BYTES: u32 = PLANE_STRIDE * PLANE_ROWS * 4;
/** Sums over the rows of a window, one row per plane. */
export const ROW_SUMS: u32 = PLANES + 3 * PLANE_BYTES;
export const ROW_SUM_BYTES: u32 = PLANE_STRIDE * 4;

/** Sums over a row of a patch and the factors of its slopes, doubles. */
export const STEP_SUMS: u32 = 141312;
export const STEP_FACTORS: u32 = 141568;

/** A stored thumbnail: two pixels of 16 steps per byte. */
export const THUMBNAIL: u32 = 141824;

/** Powers of the shares of the frame that a view covers, doubles by the number of pixels. */
export const AREA_FACTORS: u32 = 143360;

/** The pixels of the pyramid. */
export const PIXELS: u32 = 147456;

export function patchAt(patch: u32): u32 {
  return PATCHES + patch * PATCH_BYTES;
}
