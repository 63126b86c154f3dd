/** Every scan goes over the whole picture once more; encoders write about ten, hundreds hold a worker for many seconds. */
export const jpegScanLimit = 100;

/**
 * Whether a JPEG (ITU-T T.81, annex B) has more scans than `jpegScanLimit`. Reads markers only; stops at what is not one, which the
 * decoder will complain about.
 */
export function hasTooManyScans(bytes: Uint8Array): boolean {
  const jpeg = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let scans = 0;
  let at = jpeg.indexOf(0xff);
  while (at !== -1 && at + 1 < jpeg.length) {
    const marker = jpeg[at + 1] ?? 0;
    if (marker === 0xd9) return false;
    // Stuffed bytes, fill bytes, TEM, restarts and the start of the image have no length.
    const isBare = marker <= 0x01 || marker === 0xff || (marker >= 0xd0 && marker <= 0xd8);
    if (marker === 0xda && ++scans > jpegScanLimit) return true;
    const next = isBare ? at + (marker === 0xff ? 1 : 2) : at + 2 + lengthAt(jpeg, at + 2);
    at = jpeg.indexOf(0xff, next);
  }
  return false;
}

function lengthAt(jpeg: Buffer, at: number): number {
  return at + 2 <= jpeg.length ? jpeg.readUInt16BE(at) : 2;
}
