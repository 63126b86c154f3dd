import { STRIP_PIXELS, stripSize } from "./strip-frame.ts";

const { width: WIDTH, height: HEIGHT } = stripSize;

/** Returns the brightness (ITU-R BT.601) of each of 80 by 48 equal parts of packed RGB24 pixels, 0..255. */
export function reduceToStrip(
  pixels: Uint8Array,
  { width, height }: { width: number; height: number },
): Uint8Array {
  const sums = new Float32Array(STRIP_PIXELS);
  const line = new Float32Array(WIDTH);
  for (let y = 0; y < height; y++) {
    reduceLine(pixels.subarray(y * width * 3, (y + 1) * width * 3), width, line);
    const [top, bottom] = [(y * HEIGHT) / height, ((y + 1) * HEIGHT) / height];
    for (let row = Math.floor(top); row < bottom && row < HEIGHT; row++) {
      const share = Math.min(bottom, row + 1) - Math.max(top, row);
      for (let x = 0, to = row * WIDTH; x < WIDTH; x++, to++)
        sums[to] = (sums[to] ?? 0) + share * (line[x] ?? 0);
    }
  }
  return Uint8Array.from(sums, Math.round);
}

/** Writes the mean brightness of 80 equal parts of a row of pixels. */
function reduceLine(row: Uint8Array, width: number, into: Float32Array): void {
  into.fill(0);
  for (let x = 0, at = 0; x < width; x++, at += 3) {
    const value = 0.299 * (row[at] ?? 0) + 0.587 * (row[at + 1] ?? 0) + 0.114 * (row[at + 2] ?? 0);
    const [left, right] = [(x * WIDTH) / width, ((x + 1) * WIDTH) / width];
    for (let part = Math.floor(left); part < right && part < WIDTH; part++)
      into[part] = (into[part] ?? 0) + value * (Math.min(right, part + 1) - Math.max(left, part));
  }
}
