import { isFrameHeader, type JpegSegment, jpegMarkers, listJpegSegments } from "./jpeg-header.ts";

/**
 * Returns a JPEG until the first segment after its first scan that ends the decoder with an error, and the
 * marker of the end of the image; undefined when there is no such segment. The decoder reads a baseline image
 * line by line, but a progressive one as a whole, so one bad segment would hide all scans before it.
 */
export function repairJpeg(jpeg: Uint8Array): Uint8Array | undefined {
  let isProgressive = false;
  let scans = 0;
  for (const segment of listJpegSegments(jpeg)) {
    const { marker, from, to } = segment;
    if (scans > 0 && (to > jpeg.length || !isReadable(jpeg, segment, isProgressive)))
      return Buffer.concat([jpeg.subarray(0, from), Buffer.from([0xff, jpegMarkers.endOfImage])]);
    if (isFrameHeader(marker)) isProgressive = marker === progressiveFrame;
    if (marker === jpegMarkers.startOfScan) scans++;
  }
  return undefined;
}

const progressiveFrame = 0xc2;

function isReadable(jpeg: Uint8Array, segment: JpegSegment, isProgressive: boolean): boolean {
  const { marker } = segment;
  if (marker === jpegMarkers.startOfScan) return !isProgressive || isProgressiveScan(jpeg, segment);
  return marker === jpegMarkers.endOfImage || isTableOrText(marker);
}

/** DHT, DQT, DNL, DRI, APP0 to APP15 and COM. */
function isTableOrText(marker: number): boolean {
  return [0xc4, 0xdb, 0xdc, 0xdd, 0xfe].includes(marker) || (marker >= 0xe0 && marker <= 0xef);
}

/** The rules of ITU-T T.81, G.1.1.1, that libjpeg requires: the band, and its successive approximation. */
function isProgressiveScan(jpeg: Uint8Array, { from, to }: JpegSegment): boolean {
  const components = jpeg[from + 4] ?? 0;
  const [start = 0, end = 0, both = 0] = jpeg.subarray(to - 3, to);
  const [high, low] = [both >> 4, both & 15];
  const isBand = start === 0 ? end === 0 : start <= end && end < 64 && components === 1;
  return isBand && low <= 13 && (high === 0 || low === high - 1);
}
