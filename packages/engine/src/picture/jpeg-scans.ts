/** Every scan goes over the whole picture once more; encoders write about ten, hundreds hold a worker for many seconds. */
export const jpegScanLimit = 100;

/** Whether a JPEG (ITU-T T.81, annex B) has more scans than `jpegScanLimit`. */
export function hasTooManyScans(bytes: Uint8Array): boolean {
  let scans = 0;
  for (const { marker } of readMarkers(toBuffer(bytes))) {
    if (marker === 0xda && ++scans > jpegScanLimit) return true;
  }
  return false;
}

/** The pixels of a JPEG as its frame header states them; 0 where it has none. */
export function countJpegPixels(bytes: Uint8Array): number {
  const jpeg = toBuffer(bytes);
  for (const { marker, at } of readMarkers(jpeg)) {
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame && at + 9 <= jpeg.length) return jpeg.readUInt16BE(at + 5) * jpeg.readUInt16BE(at + 7);
  }
  return 0;
}

/** Reads markers only; stops at what is not one, which the decoder will complain about. */
function* readMarkers(jpeg: Buffer): Generator<{ marker: number; at: number }> {
  let at = jpeg.indexOf(0xff);
  while (at !== -1 && at + 1 < jpeg.length) {
    const marker = jpeg[at + 1] ?? 0;
    if (marker === 0xd9) return;
    // Stuffed bytes, fill bytes, TEM, restarts and the start of the image have no length.
    const isBare = marker <= 0x01 || marker === 0xff || (marker >= 0xd0 && marker <= 0xd8);
    yield { marker, at };
    const next = isBare ? at + (marker === 0xff ? 1 : 2) : at + 2 + lengthAt(jpeg, at + 2);
    at = jpeg.indexOf(0xff, next);
  }
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function lengthAt(jpeg: Buffer, at: number): number {
  return at + 2 <= jpeg.length ? jpeg.readUInt16BE(at) : 2;
}
