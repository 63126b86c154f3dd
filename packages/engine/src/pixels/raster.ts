/** A decoded image: packed RGB24, row by row. */
export type Raster = { pixels: Uint8Array; width: number; height: number };

/** A part of a raster in whole pixels. */
export type Box = { left: number; top: number; width: number; height: number };

/** Writes the mirror image of packed RGB24 into `out`, of the same size. */
export function mirror(pixels: Uint8Array, width: number, out: Uint8Array): void {
  const stride = width * 3;
  for (let row = 0; row < pixels.length; row += stride) {
    let to = row + stride - 3;
    for (let from = row; from < row + stride; from += 3, to -= 3) {
      out[to] = pixels[from] ?? 0;
      out[to + 1] = pixels[from + 1] ?? 0;
      out[to + 2] = pixels[from + 2] ?? 0;
    }
  }
}

/** Returns the negative of an image. */
export function invert(pixels: Uint8Array): Uint8Array {
  return pixels.map((value) => 255 - value);
}
