/** The maximum download size: a video to take a frame from, or an image to shrink. */
export const downloadBytes = 50 * 1024 * 1024;

/** The limits of the API. */
export const apiLimits = { bytes: 10 * 1024 * 1024, pixels: 50_000_000 } as const;

/** The maximum number of pixels to decode; a larger image is no screenshot. */
export const decodedPixels = 200_000_000;

/**
 * The memory of a decoder, or of the pixels of a BMP, for formats that the API does not accept: an AVIF of 10
 * megapixels.
 */
export const decoderLimitBytes = 192 * 1024 * 1024;

/** The longest side of a converted image; the API uses less. */
export const longestSide = 4096;

export const downloadMs = 30_000;
export const decodingSeconds = 20;
