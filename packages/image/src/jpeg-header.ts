/** A segment of a JPEG: its marker, and the range of its bytes. The data of a scan follows its segment. */
export type JpegSegment = { marker: number; from: number; to: number };

export const jpegMarkers = { startOfScan: 0xda, endOfImage: 0xd9 } as const;

/**
 * Returns the pixels in the frame header of a JPEG (ITU-T T.81, annex B), the samples per pixel of all its
 * components (3 without subsampling, 1.5 with 4:2:0), and the number of its scans. It reads markers only;
 * without a frame header, and for other formats, the values are 0.
 */
export function readJpegHeader(jpeg: Uint8Array): { pixels: number; samplesPerPixel: number; scans: number } {
  let frame: { pixels: number; samplesPerPixel: number } | undefined;
  let scans = 0;
  for (const { marker, from } of listJpegSegments(jpeg)) {
    if (marker === jpegMarkers.startOfScan) scans++;
    if (isFrameHeader(marker)) frame ??= readFrameHeader(jpeg, from);
  }
  return { pixels: 0, samplesPerPixel: 0, ...frame, scans };
}

/**
 * Yields the segments of a JPEG, as a decoder finds them: it ignores bytes between segments. The last segment
 * may end beyond the file. The end of the image has a segment of two bytes.
 */
export function* listJpegSegments(jpeg: Uint8Array): Generator<JpegSegment> {
  let at = 0;
  while (at + 1 < jpeg.length) {
    const marker = jpeg[at + 1] ?? 0;
    if (jpeg[at] !== 0xff || marker === 0xff) {
      at += 1;
    } else if (marker === jpegMarkers.endOfImage) {
      yield { marker, from: at, to: at + 2 };
      return;
    } else if (marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8)) {
      // Stuffed bytes, TEM, restarts and the start of the image have no length.
      at += 2;
    } else {
      const to = at + 2 + wordAt(jpeg, at + 2);
      yield { marker, from: at, to };
      at = to;
    }
  }
}

/** SOF0 to SOF15; DHT, JPG and DAC have numbers in this range. */
export function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

function readFrameHeader(jpeg: Uint8Array, from: number): { pixels: number; samplesPerPixel: number } {
  const factors = Array.from({ length: jpeg[from + 9] ?? 0 }, (_, component) => {
    const both = jpeg[from + 11 + component * 3] ?? 0;
    return { across: both >> 4, down: both & 15 };
  });
  const across = Math.max(1, ...factors.map((factor) => factor.across));
  const down = Math.max(1, ...factors.map((factor) => factor.down));
  const samples = factors.reduce((sum, factor) => sum + factor.across * factor.down, 0);
  return {
    pixels: wordAt(jpeg, from + 5) * wordAt(jpeg, from + 7),
    samplesPerPixel: samples / (across * down),
  };
}

function wordAt(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
}
