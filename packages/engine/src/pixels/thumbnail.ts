const BLOCKS = 12;

/**
 * A miniature of 12 x 12 blocks with the measurements of the frame selection. Values are 0..255. `contrast`
 * is the standard deviation of its brightness, `extreme` the largest distance of a block's brightness from
 * the mean.
 */
export type Thumbnail = {
  colours: Float32Array;
  brightness: Float32Array;
  mean: number;
  contrast: number;
  extreme: number;
};

/** Averages packed RGB24 pixels into a thumbnail; takes about 15 microseconds for 96 x 96. */
export function createThumbnail(pixels: Uint8Array, width: number, height: number): Thumbnail {
  const colours = averageBlocks(pixels, width, height);
  const brightness = new Float32Array(BLOCKS * BLOCKS);
  let sum = 0;
  for (let at = 0; at < brightness.length; at++) {
    const value = ((colours[at * 3] ?? 0) + (colours[at * 3 + 1] ?? 0) + (colours[at * 3 + 2] ?? 0)) / 3;
    brightness[at] = value;
    sum += value;
  }
  const mean = sum / brightness.length;
  let squares = 0;
  let extreme = 0;
  for (const value of brightness) {
    squares += (value - mean) ** 2;
    extreme = Math.max(extreme, Math.abs(value - mean));
  }
  return { colours, brightness, mean, contrast: Math.sqrt(squares / brightness.length), extreme };
}

/** Returns the mean and the largest difference of the blocks of two thumbnails, averaged over the colours. */
export function differenceOf(a: Thumbnail, b: Thumbnail): { mean: number; largest: number } {
  let sum = 0;
  let largest = 0;
  for (let at = 0; at < a.colours.length; at += 3) {
    let block = 0;
    for (let colour = at; colour < at + 3; colour++) {
      block += Math.abs((a.colours[colour] ?? 0) - (b.colours[colour] ?? 0));
    }
    sum += block;
    largest = Math.max(largest, block);
  }
  return { mean: sum / a.colours.length, largest: largest / 3 };
}

/** Returns the correlation of the brightness of two thumbnails, damped at low contrast. */
export function correlationOf(a: Thumbnail, b: Thumbnail): number {
  let products = 0;
  for (let at = 0; at < a.brightness.length; at++) {
    products += ((a.brightness[at] ?? 0) - a.mean) * ((b.brightness[at] ?? 0) - b.mean);
  }
  return products / a.brightness.length / (a.contrast * b.contrast + 4);
}

/** True for a frame with hardly any content: one colour, black, a plain gradient. */
export function isFlatThumbnail({ contrast, extreme }: Thumbnail): boolean {
  return contrast < 3 && extreme < 14;
}

function averageBlocks(pixels: Uint8Array, width: number, height: number): Float32Array {
  const sums = new Float32Array(BLOCKS * BLOCKS * 3);
  const counts = new Float32Array(BLOCKS * BLOCKS);
  for (let y = 0; y < height; y++) {
    const row = Math.floor((y * BLOCKS) / height) * BLOCKS;
    let at = y * width * 3;
    for (let column = 0; column < BLOCKS; column++) {
      const end = (y * width + Math.ceil(((column + 1) * width) / BLOCKS)) * 3;
      const block = row + column;
      counts[block] = (counts[block] ?? 0) + (end - at) / 3;
      let red = 0;
      let green = 0;
      let blue = 0;
      for (; at < end; at += 3) {
        red += pixels[at] ?? 0;
        green += pixels[at + 1] ?? 0;
        blue += pixels[at + 2] ?? 0;
      }
      sums[block * 3] = (sums[block * 3] ?? 0) + red;
      sums[block * 3 + 1] = (sums[block * 3 + 1] ?? 0) + green;
      sums[block * 3 + 2] = (sums[block * 3 + 2] ?? 0) + blue;
    }
  }
  return sums.map((sum, at) => sum / (counts[Math.floor(at / 3)] || 1));
}
