/**
 * Returns the pixels in the frame header of a JPEG (ITU-T T.81, annex B), 0 without one, and the number of
 * its scans. It reads markers only; other formats return zeros.
 */
export function readJpegHeader(jpeg: Uint8Array): { pixels: number; scans: number } {
  const wordAt = (at: number) => ((jpeg[at] ?? 0) << 8) | (jpeg[at + 1] ?? 0);
  let pixels = 0;
  let scans = 0;
  let at = 0;
  while (at + 1 < jpeg.length) {
    const marker = jpeg[at + 1] ?? 0;
    if (jpeg[at] !== 0xff || marker === 0xff) {
      at += 1;
    } else if (marker === endOfImage) {
      break;
    } else if (marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8)) {
      // Stuffed bytes, TEM, restarts and the start of the image have no length.
      at += 2;
    } else {
      if (marker === startOfScan) scans++;
      if (pixels === 0 && isFrameHeader(marker)) pixels = wordAt(at + 5) * wordAt(at + 7);
      at += 2 + wordAt(at + 2);
    }
  }
  return { pixels, scans };
}

const startOfScan = 0xda;
const endOfImage = 0xd9;

/** SOF0 to SOF15; DHT, JPG and DAC have numbers in this range. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}
